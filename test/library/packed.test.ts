import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { notBuilt } from '../support/processes.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
// The secrets of the example company.
const secrets = {
  DEPLOY_WEBHOOK_SECRET: 'canary-1',
  SHOP_GITHUB_CLIENT_SECRET: 'canary-2',
  SHOP_OIDC_CLIENT_SECRET: 'canary-3',
};
// Runs a command in a network namespace of its own, in which nothing can be reached; undefined where that is not allowed.
const unshared = ['unshare', '--map-root-user', '--net'];
const noNetwork = spawnSync('unshare', [...unshared.slice(1), 'true']).status === 0 ? unshared : undefined;
let folder: string;

/** A bill of materials, as far as it is read here. */
interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
  }[];
}

// What a user has after `npm install sluice`: the packed files, and the declared dependencies.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-packed-'));
  const modules = join(folder, 'node_modules');
  const options = ['--ignore-scripts', '--offline', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: root });
  const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[];
  await mkdir(join(modules, about.name), { recursive: true });
  await run('tar', ['xzf', join(folder, filename), '-C', join(modules, about.name), '--strip-components=1']);
  for (const name of [...Object.keys(about.dependencies), '@types/node']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await cp(join(root, 'examples/library'), folder, { recursive: true });
  await cp(join(root, 'examples/company'), join(folder, 'company'), {
    recursive: true,
    filter: (path) => !path.includes('.sluice'),
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(notBuilt !== '')(`the packed library${notBuilt}`, () => {
  test('the examples plan, apply and watch the example company', async () => {
    expect(await example('plan.mjs', {})).toMatchObject({ code: 8, out: '' });
    const planned = await example('plan.mjs', secrets);
    expect(planned.out).toMatch(/ to create; \d+ API requests\.\ndigest sha256:[0-9a-f]{64}\n$/);

    const applied = await example('apply.mjs', secrets);
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(applied.out).toContain('HTTPSEdge/shop: done\n');
    expect(await example('apply.mjs', secrets)).toEqual({ code: 0, out: 'No changes.\n', err: '' });

    const watched = await example('watch.mjs', secrets, 'InSync');
    expect(watched).toMatchObject({ code: 0 });
    expect(watched.out).toMatch(/^InSync, 0 pending$/m);
    for (const { out, err } of [planned, applied, watched]) expect(out + err).not.toContain('canary');
  });

  test(`the program plans and applies a new stack, without a network${noNetwork === undefined ? ' (with one: unshare is not allowed)' : ''}`, async () => {
    const stack = join(folder, 'stack');
    await mkdir(stack);
    const program = join(folder, 'node_modules', about.name, about.bin.sluice);
    const words = [...(noNetwork ?? []), process.execPath, program];
    const sluice = (...args: string[]) => run('/usr/bin/env', [...words, ...args], { cwd: stack });
    await sluice('init');
    expect((await sluice('apply', '--auto-approve')).stdout).toContain('Applied: ');
    expect((await sluice('plan')).stdout).toContain('No changes.');
  });

  test('it contains the licences of all packages whose code is in it, and a bill of materials', async () => {
    const dist = join(folder, 'node_modules', about.name, 'dist');
    const notices = await readFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const bill = JSON.parse(await readFile(join(dist, 'sbom.cdx.json'), 'utf8')) as Bill;
    const licences = bill.components.map(({ licenses: [{ license } = { license: { id: '' } }] }) => license.id);
    expect(bill.components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(about.dependencies)));
    expect(
      licences.filter((id) => !['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense'].includes(id)),
    ).toEqual([]);
    for (const { name, version } of bill.components) expect(notices).toContain(`\n${name} ${version} (`);
    for (const text of ['Permission is hereby granted', 'Matteo Collina']) expect(notices).toContain(text);
  });

  test('the published types describe it to a program in TypeScript', async () => {
    await writeFile(join(folder, 'consumer.ts'), consumer);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const flags = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--target', 'ES2023'];
    const resolution = ['--module', 'NodeNext', '--types', 'node', '--ignoreConfig', '--skipLibCheck'];
    const checked = await run(process.execPath, [tsc, ...flags, ...resolution, 'consumer.ts'], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(checked.stdout).toBe('');
  });
});

test('docs/library.md shows the examples as they are', async () => {
  const page = await readFile(join(root, 'docs/library.md'), 'utf8');
  const shown = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text);
  const files = await readdir(join(root, 'examples/library'));
  const texts = files.map((file) => readFile(join(root, 'examples/library', file), 'utf8'));
  expect(shown.sort()).toEqual((await Promise.all(texts)).sort());
});

const consumer = `
import { isEmptyPlan, kinds, openStack, plain, planText, Refused, watchStack, type Hazard, type Outcome } from 'sluice';

const stack = await openStack({ dir: '.', env: process.env, writes: true });
const plan = await stack.plan({ selector: 'team=web', allow: ['OPENS_ACCESS'] });
const codes: readonly Hazard['code'][] = plan.hazards.map(({ code }) => code);
const text: string = planText(plan, { kinds, palette: plain });
// @ts-expect-error a hazard that does not exist
await stack.plan({ allow: ['OPENS_ACESS'] });
// @ts-expect-error a plan is a value that cannot be changed
plan.steps = [];
const outcome: Outcome | undefined = isEmptyPlan(plan) ? undefined : await stack.apply(plan);
await watchStack({
  dir: '.',
  env: process.env,
  signal: AbortSignal.timeout(1),
  onStatus: ({ pending }) => console.log(pending.length, codes, text, outcome?.requests, Refused.name),
});
`;

/** Runs an example on the company; stopped once it has printed the text given. */
function example(
  file: string,
  env: Readonly<Record<string, string>>,
  until?: string,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [file, 'company'],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } },
      (_, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    );
    let out = '';
    child.stdout?.on('data', (chunk: string) => {
      out += chunk;
      if (until !== undefined && out.includes(until)) child.kill();
    });
  });
}
