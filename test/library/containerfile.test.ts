import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notBuilt } from '../support/processes.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

describe('the Containerfile', () => {
  test.skipIf(notBuilt !== '')(`copies all that the program needs${notBuilt}`, async () => {
    const [, image = ''] = (await readFile(join(root, 'Containerfile'), 'utf8')).split(/^FROM \$\{BASE\}$/m);
    const app = await mkdtemp(join(tmpdir(), 'sluice-image-'));
    onTestFinished(() => rm(app, { recursive: true, force: true }));
    for (const [, sources = '', to = ''] of image.matchAll(/^COPY --from=build (.+) (\S+)$/gm))
      for (const source of sources.split(' ')) {
        const name = source.replace('/build/', '');
        await cp(join(root, name), to.endsWith('/') ? join(app, to, name) : join(app, to), { recursive: true });
      }
    const stack = join(app, 'stack');
    await mkdir(stack);
    const sluice = (...args: string[]) => run(join(app, 'dist/sluice.js'), args, { cwd: stack });
    await sluice('init', '--example');
    await rm(stack, { recursive: true });
    await mkdir(stack);
    await sluice('init');
    expect((await sluice('apply', '--auto-approve')).stdout).toContain('Applied: ');
  });

  test('runs as a user without rights, on a base of the operator', async () => {
    const text = await readFile(join(root, 'Containerfile'), 'utf8');
    expect(text).toMatch(/^ARG BASE=/m);
    expect([...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)).toEqual(['${BASE}', '${BASE}']);
    expect(text).toMatch(/^USER 65532:65532$/m);
  });
});
