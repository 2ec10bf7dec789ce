import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notBuilt } from '../support/processes.ts';
import { httpService } from '../support/http-service.ts';
import { addresses } from './company-files.ts';
import { eventually, shared, type Shared } from './replicas.ts';

describe.skipIf(notBuilt !== '')(`a watch that runs picks up${notBuilt}`, () => {
  test('secrets of an env file, of a file, and of a mounted Secret that is swapped', async () => {
    const stack = await shared(hooks);
    const mounted = mount(stack, 'canary-mounted-1');
    appendFileSync(join(stack.dir, 'sluice.yaml'), `secrets: {env_files: [hook.env], dirs: [${mounted}]}\n`);
    writeFileSync(join(stack.dir, 'hook.env'), 'HOOK=canary-env-1\n');
    writeFileSync(join(stack.dir, 'hook.txt'), 'canary-file-1');
    const watch = stack.watch('first', { env: { SLUICE_SECRETS_DIRS: mounted } });
    const are = (...wanted: string[]): Promise<void> =>
      eventually(
        () => secrets(stack).join() === wanted.join(),
        () => `${secrets(stack).join()}\n${watch.log()}`,
      );
    await are('canary-env-1', 'canary-file-1', 'canary-mounted-1');
    writeFileSync(join(stack.dir, 'hook.env.new'), 'HOOK=canary-env-2\n');
    renameSync(join(stack.dir, 'hook.env.new'), join(stack.dir, 'hook.env'));
    await are('canary-env-2', 'canary-file-1', 'canary-mounted-1');
    writeFileSync(join(stack.dir, 'hook.txt'), 'canary-file-2');
    await are('canary-env-2', 'canary-file-2', 'canary-mounted-1');
    mount(stack, 'canary-mounted-2');
    await are('canary-env-2', 'canary-file-2', 'canary-mounted-2');
    expect(watch.log()).not.toContain('canary');
  });

  test('the API key of a file, at once also where the old one is refused by now', async () => {
    const stack = await shared(addresses('mqtt'));
    const file = join(stack.kept, 'key');
    mkdirSync(stack.kept);
    writeFileSync(file, 'canary-key-1\n');
    let good = 'canary-key-1';
    stack.emulator.intercept(({ headers }, next) =>
      headers['authorization'] === `Bearer ${good}` ? next() : { status: 401, headers: {}, body: '{}' },
    );
    const watch = stack.watch('', { env: { SLUICE_API_KEY_FILE: file } });
    await watch.says('ReservedAddr/mqtt: done');
    good = 'canary-key-2';
    await watch.says('ACCESS_DENIED');
    stack.write(addresses('mqtt', 'ssh'));
    // Somebody who renews it empties it first.
    writeFileSync(file, '');
    await watch.says('SLUICE_API_KEY_FILE: the file is empty');
    writeFileSync(file, 'canary-key-2\n');
    await watch.says('ReservedAddr/ssh: done');
    expect(watch.log()).not.toContain('canary');
  });

  test('the URL of a webhook, from the file that the environment names', async () => {
    const stack = await shared(
      addresses('mqtt'),
      'apply_on_change: false, notify: [{url: {from_env: SLUICE_HOOK_URL}}]',
    );
    const receiver = await httpService((_request, response) => void response.writeHead(204).end());
    const paths = (): readonly string[] => receiver.requests.map(({ path }) => path);
    const file = join(stack.kept, 'hook-url');
    mkdirSync(stack.kept);
    writeFileSync(file, `${receiver.url}/one\n`);
    const watch = stack.watch('first', { env: { SLUICE_HOOK_URL_FILE: file } });
    await eventually(() => paths().includes('/one'), watch.log);
    writeFileSync(file, `${receiver.url}/two\n`);
    stack.write(addresses('mqtt', 'ssh'));
    await eventually(() => paths().includes('/two'), watch.log);
  });
});

const hooks = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
${['{from_env: HOOK}', '{from_file: ../hook.txt}', '{from_file: MOUNTED/hook}']
  .map(
    (secret, n) =>
      `    - {match_type: path_prefix, match: /${n}, backend: {backend_id: bkd_1}, webhook_verification: {provider: github, secret: ${secret}}}\n`,
  )
  .join('')}`;

/** Mounts a Secret as Kubernetes does: its files are links into a directory that a link leads to, which is swapped. */
function mount({ dir, write }: Shared, secret: string): string {
  const mounted = join(dir, '../mounted');
  const version = join(mounted, `..${secret}`);
  mkdirSync(version, { recursive: true });
  writeFileSync(join(version, 'hook'), secret);
  symlinkSync(`..${secret}`, join(mounted, '..next'));
  renameSync(join(mounted, '..next'), join(mounted, '..data'));
  rmSync(join(mounted, 'hook'), { force: true });
  symlinkSync('..data/hook', join(mounted, 'hook'));
  write(hooks.replace('MOUNTED', mounted));
  return mounted;
}

function secrets({ emulator }: Shared): readonly unknown[] {
  return emulator
    .snapshot()
    .resources.flatMap(({ spec }) => ('webhook_verification' in spec ? [spec['webhook_verification']] : []))
    .map((module) => (module as { readonly secret?: unknown }).secret)
    .sort();
}
