import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../src/cli/run.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-readme-'));
  await mkdir(join(folder, 'manifests'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('the README shows a manifest of ten lines, the plan it makes, and what comes first when its access control goes', async () => {
  const [manifest = ''] = blocks('yaml');
  const [plan, hazard = ''] = blocks('text');
  expect(manifest.trimEnd().split('\n')).toHaveLength(10);

  await sluice(['init', '--empty', '--name', 'shop']);
  await write(manifest);
  expect(await sluice(['plan'])).toBe(plan);

  await sluice(['apply', '--auto-approve']);
  expect(await sluice(['plan'])).toMatch(/^No changes\./);

  await write(manifest.replace(/^ *oauth: .*\n/m, ''));
  expect((await sluice(['plan'])).startsWith(hazard)).toBe(true);
});

async function write(manifest: string): Promise<void> {
  await writeFile(join(folder, 'manifests/shop.yaml'), manifest);
}

/** The result of a command, run in the folder on the embedded emulator. */
async function sluice(args: readonly string[]): Promise<string> {
  let result = '';
  let beside = '';
  const code = await run(
    args,
    {
      cwd: folder,
      env: { SLUICE_API_KEY: 'any' },
      out: (text) => void (result += text),
      err: (text) => void (beside += text),
      stdin: () => Promise.resolve(Buffer.alloc(0)),
      terminal: { in: false, out: false, err: false },
      ask: () => Promise.resolve('no'),
      signal: new AbortController().signal,
    },
    '0.0.0',
  );
  expect(code, beside).toBe(0);
  return result;
}

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '');
}
