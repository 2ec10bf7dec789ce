/* Outputs: values of resources of another stack in the same repository and account. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { libraryContext } from '../../src/stack/library-context.ts';
import { stackManifests } from '../../src/stack/outputs/upstream-stacks.ts';
import { temporaryFiles } from '../support/manifests.ts';
import { gitStack, type GitStack } from '../support/git-stack.ts';
import { sluice, type Ended } from './terminal.ts';

const network = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, description: Sensors}
`;
const app = (description: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: ${description}
  hostports: [shop.example.com:443]
`;
const output = (stack = '../network', address = 'ReservedAddr/mqtt', field = 'addr'): string =>
  `{output: {stack: ${stack}, address: ${address}, field: ${field}}}`;
const settings = (name: string, id: string, api: string): string =>
  `version: 1\nstack: {name: ${name}, id: "${id}"}\nmanifests: [manifests]\napi: {${api}, profile: completed, vendor: example}\n`;

interface TwoStacks extends GitStack {
  readonly url: string;
  /** Runs a command in the directory of a stack. */
  readonly run: (stack: string, args: string) => Promise<Ended>;
}

/** A repository with the stacks `network` and `app`, against one emulator. */
async function twoStacks(manifest: string, more: Readonly<Record<string, string>> = {}): Promise<TwoStacks> {
  const { url, close } = await createEmulator({ seed: 3 }).listen();
  onTestFinished(close);
  const repository = await gitStack({
    'network/sluice.yaml': settings('network', '11111111', `base_url: "${url}"`),
    'network/manifests/network.yaml': network,
    'app/sluice.yaml': settings('app', '22222222', `base_url: "${url}"`),
    'app/manifests/app.yaml': manifest,
    ...more,
  });
  return {
    ...repository,
    url,
    run: (stack, args) => sluice(join(repository.dir, stack), args, { env: { SLUICE_API_KEY: 'right' } }),
  };
}

const addr = /[\w.]+\.eu\.[\w.]+:\d+/;

test('an output is the value that the other stack has in the account', async () => {
  const { run } = await twoStacks(app(output()));
  await run('network', 'apply --auto-approve');
  const applied = await run('app', 'apply --auto-approve');
  expect(applied.code).toBe(0);
  expect(applied.out).toMatch(new RegExp(`description: ${addr.source}`));
  expect((await run('app', 'plan --detailed-exitcode')).code).toBe(0);
});

test('a plan before the other stack is applied reports what it waits for, and apply writes nothing', async () => {
  const { run } = await twoStacks(app(output()));
  const planned = await run('app', 'plan');
  expect(planned.code).toBe(0);
  expect(planned.out).toContain('{ReservedAddr/mqtt.addr} (known after apply of stack ../network)');
  expect(planned.out).toContain('`addr` of ReservedAddr/mqtt is known only after the stack ../network is applied');
  expect((await run('app', 'apply --auto-approve')).code).toBe(3);
  await run('network', 'apply --auto-approve');
  expect((await run('app', 'apply --auto-approve')).code).toBe(0);
});

test('a field that decides the requests cannot wait for the other stack', async () => {
  const { run } = await twoStacks(app('Shop').replace('shop.example.com:443', output()));
  const { code, err } = await run('app', 'plan');
  expect(code).toBe(8);
  expect(err).toContain('`addr` of ReservedAddr/mqtt is known only after the stack ../network is applied');
  expect(err).toContain('sluice -C ../network apply');
  await run('network', 'apply --auto-approve');
  expect((await run('app', 'plan')).code).toBe(0);
});

test('a saved plan is stale once the output has another value, and applies where it has the same', async () => {
  const { run, dir } = await twoStacks(app(output()));
  await run('network', 'apply --auto-approve');
  await run('app', 'plan --out app.plan');
  writeFileSync(join(dir, 'network/manifests/network.yaml'), network.replace('region: eu', 'region: us'));
  await run('network', 'apply --auto-approve');
  expect((await run('app', 'apply app.plan')).code).toBe(4);
  await run('app', 'plan --out app.plan');
  expect((await run('app', 'apply app.plan')).code).toBe(0);
});

test('stacks in the embedded emulator have no outputs of each other, and the error reports what to do', async () => {
  const { run } = await twoStacks(app(output()), {
    'app/sluice.yaml': settings('app', '22222222', 'base_url: embedded'),
  });
  const { code, err } = await run('app', 'plan');
  expect(code).toBe(8);
  expect(err).toContain('with api.base_url: embedded, each stack has its own');
  expect(err).toContain('hint: run `sluice emulator` and set api.base_url of both stacks to its address');
});

test('plan --base and a snapshot have the values of the other stack', async () => {
  const { run, dir, git, commit } = await twoStacks(app(output()));
  await run('network', 'apply --auto-approve');
  await run('app', 'apply --auto-approve');
  git('checkout', '-q', '-b', 'change');
  commit({ 'app/manifests/app.yaml': app(output()).replace('shop.example.com', 'www.example.com') });
  const { out, code } = await run('app', 'plan --base main');
  expect(code).toBe(0);
  expect(out).toMatch(/This change .*: 1 to update/);
  expect(out).toMatch(/Not applied yet .*: no changes/);
  expect((await run('app', 'snapshot --out s.json')).code).toBe(0);
  expect(readFileSync(join(dir, 'app/s.json'), 'utf8')).not.toContain('Sensors');
  const fromSnapshot = await run('app', 'plan --snapshot s.json');
  expect(fromSnapshot.code).toBe(0);
  expect(fromSnapshot.out).not.toContain('known after apply');
});

test.each([
  ['a stack that does not exist', output('../netwrk'), 'there is no sluice.yaml in ../netwrk'],
  ['a stack outside of the repository', output('../../other'), 'the stack ../../other is outside the git repository'],
  ['an absolute path', output('/etc'), 'the stack /etc must be a path relative to the directory of this stack'],
  ['this stack', output('../app'), 'the stack ../app is this stack'],
  ['a stack behind a link', output('../linked'), 'the path of the stack ../linked contains a symbolic link'],
  [
    'an address that it does not define',
    output(undefined, 'ReservedAddr/mqqt'),
    'the manifests of ../network do not define ReservedAddr/mqqt',
  ],
  ['what is no address', output(undefined, 'mqtt'), '`address` must be Kind/name, and `mqtt` names no kind'],
  ['a field that the kind does not have', output(undefined, undefined, 'adr'), 'ReservedAddr has no field `adr`'],
  [
    'a field that the other manifests set',
    output(undefined, undefined, 'description'),
    '`ReservedAddr.description` is not an output',
  ],
  [
    'a stack of another service',
    output('../elsewhere'),
    'the stack ../elsewhere has a different api.base_url, so sluice treats it as a different account',
  ],
  [
    'a stack with another key',
    output('../foreign'),
    'the stack ../foreign reads its API key from a different variable (api.key), so sluice treats it as a different account',
  ],
  ['a stack without ownership markers', output('../unmarked'), 'the stack ../unmarked writes no ownership markers'],
  [
    'a stack that takes its outputs in turn',
    output('../circle', 'HTTPSEdge/shop', 'id'),
    "stacks reference each other's outputs: app -> circle -> app",
  ],
  [
    'half of an output',
    '{output: {stack: ../network}}',
    '`output` must have exactly the string fields `stack`, `address` and `field`',
  ],
])('an output of %s is an error that reports that', async (_, written, reported) => {
  const { run, dir, url } = await twoStacks(app(written), {
    'elsewhere/sluice.yaml': settings('elsewhere', '33333333', 'base_url: https://api.example.com'),
    'circle/manifests/shop.yaml': app(output('../app', 'HTTPSEdge/shop', 'id')),
  });
  const api = `base_url: "${url}"`;
  mkdirSync(join(dir, 'foreign'));
  mkdirSync(join(dir, 'unmarked'));
  writeFileSync(
    join(dir, 'foreign/sluice.yaml'),
    settings('foreign', '44444444', `${api}, key: {from_env: SLUICE_OTHER_KEY}`),
  );
  writeFileSync(join(dir, 'unmarked/sluice.yaml'), `${settings('unmarked', '55555555', api)}marker: false\n`);
  writeFileSync(join(dir, 'circle/sluice.yaml'), settings('circle', '66666666', api));
  symlinkSync('network', join(dir, 'linked'));
  const { code, err } = await run('app', 'validate');
  expect({ code, err: err.replace(/\s+/g, ' ') }).toEqual({
    code: 8,
    err: expect.stringContaining(reported) as string,
  });
});

test('secrets take no outputs, and secrets are none', async () => {
  const { run } = await twoStacks(
    app('Shop').replace(
      /$/,
      `  routes:\n    - match_type: path_prefix\n      match: /\n      backend: {backend_id: bkd_1}\n      webhook_verification: {provider: github, secret: ${output()}}\n`,
    ),
  );
  const { code, err } = await run('app', 'validate');
  expect([code, err.includes('is a secret and cannot reference another resource')]).toEqual([8, true]);
});

test('the stacks on which a stack depends are found by reading manifests', async () => {
  const { dir } = await twoStacks(app(output()));
  const context = libraryContext({ dir, env: {} });
  expect((await stackManifests(join(dir, 'app'), context)).upstream).toEqual([join(dir, 'network')]);
  expect((await stackManifests(join(dir, 'network'), context)).upstream).toEqual([]);
});

test('in a pipeline, the order of stacks is found without manifests outside of the repository', async () => {
  const { dir } = await twoStacks(app(output()));
  const outside = temporaryFiles({ 'app.yaml': app(output()) });
  const file = join(dir, 'app/sluice.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^manifests: .*$/m, `manifests: [${outside}]`));
  const upstream = async (env: Record<string, string>) =>
    (await stackManifests(join(dir, 'app'), libraryContext({ dir, env }))).upstream;
  expect(await upstream({ CI: 'true' })).toEqual([]);
  expect(await upstream({ CI: 'true', SLUICE_SECRETS_DIRS: outside })).toEqual([join(dir, 'network')]);
});

test('in a pipeline, the manifests of another stack are read although its secrets are in a directory that only its own pipeline allows', async () => {
  const { dir } = await twoStacks(app(output()));
  const file = join(dir, 'network/sluice.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}secrets: {dirs: [/run/secrets/network]}\n`);
  const { addresses } = await stackManifests(join(dir, 'network'), libraryContext({ dir, env: { CI: 'true' } }));
  expect(addresses?.size).toBeGreaterThan(0);
});

test('changed lists a stack whose upstream stack has changed, with the reason', async () => {
  // What names a stack that does not exist is no reason.
  const broken = app(output('../gone')).replace('name: shop', 'name: broken');
  const { dir, git, commit, run } = await twoStacks(app(output()), { 'app/manifests/broken.yaml': broken });
  git('checkout', '-q', '-b', 'change');
  commit({ 'network/manifests/network.yaml': network.replace('Sensors', 'Meters') });
  expect((await sluice(dir, 'changed --since main')).out).toBe(
    'changed  app  (uses outputs of network)\nchanged  network\n',
  );
  expect((await run('app', 'changed --since main')).out).toBe('changed  .  (uses outputs of ../network)\n');
});

test('render and the state keep the output as it is written', async () => {
  const { run } = await twoStacks(app(output()));
  const { out, code } = await run('app', 'render');
  expect(code).toBe(0);
  expect(out.replace(/\s+/g, ' ')).toContain('output: stack: "../network" address: ReservedAddr/mqtt field: addr');
});

test('--all applies a stack after those whose outputs it takes', async () => {
  const { dir, run } = await twoStacks(app(output()));
  const { code, out } = await sluice(dir, 'apply --all --auto-approve', { env: { SLUICE_API_KEY: 'right' } });
  expect({ code, network: out.indexOf('== network ==') < out.indexOf('== app ==') }).toEqual({
    code: 0,
    network: true,
  });
  expect((await run('app', 'plan --detailed-exitcode')).code).toBe(0);
});

test('of a resource that was copied with its ownership marker, no output is taken', async () => {
  const { run, url } = await twoStacks(app(output()));
  await run('network', 'apply --auto-approve');
  const headers = { authorization: 'Bearer right', 'example-version': '2', 'content-type': 'application/json' };
  const listed = (await (await fetch(`${url}/reserved_addrs`, { headers })).json()) as {
    readonly reserved_addrs: readonly { readonly metadata: string }[];
  };
  const [{ metadata } = { metadata: '' }] = listed.reserved_addrs;
  await fetch(`${url}/reserved_addrs`, { method: 'POST', headers, body: JSON.stringify({ metadata }) });
  const { code, err } = await run('app', 'plan');
  expect(code).toBe(8);
  expect(err).toContain('several resources have the ownership marker of ReservedAddr/mqtt of ../network: ');
});

test('under the API profile documented, what the service does not list has no outputs', async () => {
  const { run, dir } = await twoStacks(app(output(undefined, 'HTTPSEdge/shop', 'id')));
  const file = join(dir, 'app/sluice.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('completed', 'documented'));
  const { code, err } = await run('app', 'validate');
  expect(code).toBe(8);
  expect(err).toContain(
    'with the API profile documented, sluice cannot find HTTPSEdge of another stack in the account',
  );
});

test('an output of an edge whose ownership marker keeps its former name is found by moved_from', async () => {
  const edge = (name: string, lifecycle = ''): string =>
    `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\nlifecycle: {${lifecycle}}\nspec: {hostports: [a.example.com:443]}\n`;
  const { run, dir } = await twoStacks(app(output(undefined, 'HTTPSEdge/b', 'id')));
  const file = join(dir, 'network/sluice.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('completed', 'documented'));
  for (const text of [edge('a'), edge('b', 'moved_from: HTTPSEdge/a')]) {
    writeFileSync(join(dir, 'network/manifests/network.yaml'), text);
    expect((await run('network', 'apply --auto-approve')).code).toBe(0);
  }
  expect((await run('app', 'plan')).out).toMatch(/description: edghts_/);
  // Another resource has the former name now: it is not taken for it.
  writeFileSync(
    join(dir, 'network/manifests/network.yaml'),
    `${edge('b', 'moved_from: HTTPSEdge/a')}---\n${edge('a').replace('a.example', 'b.example')}`,
  );
  expect((await run('app', 'plan')).out).toContain('{HTTPSEdge/b.id} (known after apply of stack ../network)');
});

test('a watch applies the rest while it waits for the other stack, and then what waited', async () => {
  const { run, dir } = await twoStacks(
    `${app(output())}---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: own}\nspec: {region: eu}\n`,
  );
  const file = join(dir, 'app/sluice.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}watch: {debounce: 1s, interval: 1s}\n`);
  const over = new AbortController();
  let log = '';
  let applied: Promise<Ended> | undefined;
  await sluice(join(dir, 'app'), 'watch --no-listen --poll', {
    env: { SLUICE_API_KEY: 'right' },
    signal: over.signal,
    err: (text: string) => {
      log += text;
      if (log.includes('ReservedAddr/own: done')) applied ??= run('network', 'apply --auto-approve');
      if (log.includes('HTTPSEdge/shop: done')) over.abort();
    },
  });
  expect((await applied)?.code).toBe(0);
  expect(log).toContain('`addr` of ReservedAddr/mqtt is known only after the stack ../network is applied');
});
