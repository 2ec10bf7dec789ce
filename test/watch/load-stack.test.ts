import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { keptDocuments } from '../../src/manifest/read/kept-documents.ts';
import { libraryContext } from '../../src/stack/library-context.ts';
import { openBackend } from '../../src/stack/open-backend.ts';
import { readStackConfig } from '../../src/stack/settings/stack-config.ts';
import { loadStack, type LoadedManifests } from '../../src/watch/load-stack.ts';
import { settingTargets } from '../../src/watch/restart-settings.ts';
import { address } from './company-files.ts';
import { directory, sluice, stack, stackFile } from '../cli/terminal.ts';

const withToken = address('mqtt', '{from_env: TOKEN}');

/** A stack as a watch loads it. */
async function loading(settings = '', env: Readonly<Record<string, string>> = {}, manifest?: string) {
  const dir = await stack(manifest, `${stackFile}${settings}`);
  const counts: number[] = [];
  const context = { ...libraryContext({ dir, env }), onManifests: (count: number) => void counts.push(count) };
  const open = await readStackConfig(context);
  const backend = await openBackend(context, open);
  const lock = await backend.acquireLock('watch');
  onTestFinished(async () => {
    await lock.release();
    await backend.close();
  });
  const requests: string[] = [];
  const load = (known?: LoadedManifests) =>
    loadStack(context, dir, {
      ...(known === undefined ? {} : { known }),
      ...{ parallelism: 1, documents: keptDocuments(), lock: () => lock, backend },
      metrics: { onRequest: ({ method }) => requests.push(method), onRetry: () => undefined },
      atStart: { settings: open.settings, overridden: new Set(), targets: settingTargets(open, context) },
    });
  return { dir, load, requests, counts, write: (text: string) => writeFileSync(join(dir, 'sluice.yaml'), text) };
}

test('a refresh has the settings that were read with the manifests, whatever has become of sluice.yaml since', async () => {
  const { load, write } = await loading();
  const { value } = await load();
  write('version: [');
  const found = await value.refresh(value.desired, new AbortController().signal, false);
  onTestFinished(found.close);
  expect(found.plan.changes.map(({ action, address }) => `${action} ${address}`)).toContain('create ReservedAddr/mqtt');
});

test('manifests of which no file has changed are not read again, but the settings are', async () => {
  const { load, write, counts } = await loading('', {}, address('mqtt', 'brokers'));
  const { value, manifests } = await load();
  expect((await load(manifests)).value.desired).toBe(value.desired);
  expect(counts).toEqual([]);
  write('version: [');
  await expect(load(manifests)).rejects.toMatchObject({ diagnostics: [{ code: 'SYNTAX_ERROR' }] });
});

test('manifests are read again once another credential is in its file: they may not contain it', async () => {
  const file = join(await directory(), 'secret');
  const notify = 'watch: {notify: [{url: {from_env: SLUICE_HOOK}}]}\n';
  const { load } = await loading(
    notify,
    { SLUICE_HOOK_FILE: file, TOKEN: 'https://hooks.example.com/T0/B0/abc' },
    withToken,
  );
  const { manifests } = await load();
  expect(manifests?.desired.diagnostics).toEqual([]);
  writeFileSync(file, 'https://hooks.example.com/T0/B0/abc');
  const { value } = await load(manifests);
  expect(value.desired.diagnostics).toMatchObject([{ code: 'CREDENTIAL_AS_VALUE' }]);
});

test.each([
  ['which have errors', 'apiVersion: sluice/v1\nkind: Unknown\n'],
  [
    'which take a value of another stack',
    address('mqtt', '{output: {stack: ../other, address: ReservedAddr/a, field: addr}}'),
  ],
])('manifests %s are read again: what they depend on may have changed elsewhere', async (_, text) => {
  const { load } = await loading('', {}, text);
  expect((await load()).manifests).toBeUndefined();
});

test('a sluice.yaml that is wrong, or whose change requires a restart, is not loaded', async () => {
  const { load, write } = await loading();
  write('version: [');
  await expect(load()).rejects.toMatchObject({ diagnostics: [{ code: 'SYNTAX_ERROR' }] });
  write(`${stackFile}state: {path: elsewhere.json}\n`);
  await expect(load()).rejects.toMatchObject({ diagnostics: [{ code: 'RESTART_REQUIRED' }] });
});

test('whoever limits the heap of the process is told how many manifests there are, each time that they are read', async () => {
  const { load, counts } = await loading('', {}, 'apiVersion: sluice/v1\nkind: Unknown\n---\n'.repeat(2_000));
  await load();
  await load();
  expect(counts).toEqual([1_000, 2_000, 1_000, 2_000]);
});

test('a patch whose target may be in a file with errors is among the errors of a watch, and says what it waits for', async () => {
  const patch = '{target: {kind: ReservedAddr, name: mqtt}, patch: [{op: add, path: /spec/description, value: x}]}';
  const { load } = await loading(`patches: [${patch}]\n`, {}, 'kind: [');
  const { desired } = (await load()).value;
  expect(desired.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toContainEqual([
    'PATCH_TARGET_NOT_FOUND',
    'no manifest that can be read matches the patch target ReservedAddr/mqtt',
    'correct the errors in manifests/company.yaml first, since they may contain the target; until then, all resources keep their last valid version',
  ]);
});

const goesOn = new AbortController().signal;

test('settings of sluice.yaml are those of the watch, in its units', async () => {
  const watch =
    '{apply_on_change: false, heal_drift: false, prune: true, renew: false, kinds: {HTTPSEdge: report}, interval: 2m, max_retry_delay: 90s}';
  const { load } = await loading(`watch: ${watch}\n`);
  const { value } = await load();
  expect(value.syncSettings).toEqual({
    ...{ applyOnChange: false, healDrift: false, prune: true, renew: false, kinds: { HTTPSEdge: 'report' } },
  });
  expect([value.intervalMs, value.backoff]).toEqual([120_000, { first: 5_000, most: 90_000 }]);
  expect(value.uncommitted).toBeUndefined();
});

test('the operator may forbid to prune', async () => {
  const policy = join(await directory({ 'policy.yaml': 'version: 1\nprune: false\n' }), 'policy.yaml');
  const { load } = await loading('watch: {prune: true}\n', { SLUICE_OPERATOR_POLICY: policy });
  const { value, files } = await load();
  expect(value.syncSettings.prune).toBe('forbidden');
  expect(files).toContain(policy);
});

test('every file beside the manifests that decides the outcome is named: variables, the key, authorities', async () => {
  const beside = await directory({ key: 'k3y', 'secrets.env': 'SLUICE_X=1\n' });
  const [key, secrets] = [join(beside, 'key'), join(beside, 'secrets.env')];
  for (const path of [key, secrets]) chmodSync(path, 0o600);
  const authorities = fileURLToPath(new URL('../generators/data/partners-ca.pem', import.meta.url));
  const { load } = await loading(`secrets: {env_files: [${secrets}]}\n`, {
    ...{ SLUICE_API_KEY_FILE: key, SLUICE_CA_FILE: authorities },
  });
  expect([...(await load()).files].sort()).toEqual([authorities, key, secrets].sort());
  expect((await (await loading()).load()).files).toEqual([]);
});

test('what is applied is counted, and recorded with its plan and who approved it', async () => {
  const { dir, load, requests } = await loading();
  const { value } = await load();
  const found = await value.refresh(value.desired, goesOn, false);
  expect([found.isRecorded, new Set(requests)]).toEqual([true, new Set(['GET'])]);
  const approvals = [{ digest: `sha256:${'0'.repeat(64)}`, by: 'ada', at: 0 }];
  const events: string[] = [];
  const outcome = await found.apply({ plan: found.plan, isPart: true, approvals }, goesOn, ({ type }) =>
    events.push(type),
  );
  await found.close();
  expect(outcome.changes.map(({ ending }) => ending)).toEqual(['done', 'done', 'done']);
  expect(requests.filter((method) => method === 'POST')).toHaveLength(3);
  expect(events.filter((type) => type === 'finished')).toHaveLength(3);
  const history = await sluice(dir, 'history --format json');
  const [run] = (JSON.parse(history.out) as { runs: readonly { id: string }[] }).runs;
  const shown = await sluice(dir, `history ${run?.id ?? ''}`);
  expect(shown.out).toContain('by ada at 1970-01-01T00:00:00.000Z');
  expect(shown.out).toContain('+ HTTPSEdgeRoute/shop:front');
  const again = await value.refresh(value.desired, goesOn, false);
  expect(again.plan.changes.filter(({ action }) => action !== 'none')).toEqual([]);
  await again.close();
});
