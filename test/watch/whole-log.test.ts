/* What is logged is all that happened, and nothing else: a line too many sends somebody to look. */
import { expect, test } from 'vitest';
import { address, addresses } from './company-files.ts';
import { rig } from './rig.ts';

const isIdle = ({ nextRefresh }: { readonly nextRefresh?: number }): boolean => nextRefresh !== undefined;

/** The lines of an apply that changes one resource. */
const applied = (name: string): readonly string[] => [
  'info apply: changes to apply: 1',
  `info change: ReservedAddr/${name}: done`,
  'info applied: 1 of 1 change applied in 0.0 s',
];

test('manifests that change, drift that is left, and a pause that ends', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { healDrift: false });
  await watch.until(isIdle);
  watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
  await watch.rests();
  await watch.pass(1_000_000);
  watch.write({ 'a.yaml': addresses('mqtt', 'ssh') });
  await watch.rests();
  await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
  await watch.pass(1_000_000);
  await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'mqtt' });
  await watch.pass(1_000_000);
  const until = watch.now() + 60_000;
  await watch.request((before) => ({ ...before, pause: { until, reason: 'the migration', by: 'ada' } }));
  await watch.pass(100_000);
  await watch.stop();
  expect(watch.log).toEqual([
    'info role: this process is the leader',
    'info revision: manifests loaded: 1 resource',
    ...applied('mqtt'),
    'info revision: manifests loaded: 2 resources',
    ...applied('ssh'),
    'info revision: manifests loaded: 2 resources',
    'info pending: ReservedAddr/mqtt requires a manual apply: drifted; watch.heal_drift is off for this kind',
    `info paused: paused until ${new Date(until).toISOString()}: the migration`,
    'info resumed: reconciliation resumed',
    'info role: standby',
    'info role: this process is the leader',
    'info stopping: this watch stops: requests in flight are completed first',
    'info role: stopping',
  ]);
  expect(watch.logged.filter(({ event }) => event === 'paused')).toEqual([{ event: 'paused', by: 'ada' }]);
});

test('a service that is away, manifests that are gone or broken, an approval, and another process that takes over', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isIdle);
  const works = watch.account.emulator.intercept(() => ({ status: 503, headers: {}, body: '{"msg":"later"}' }));
  await watch.until(({ failures }) => (failures[0]?.attempts ?? 0) === 2);
  works();
  await watch.until(({ failures }) => failures.length === 0);
  await watch.rests();
  watch.vanish();
  await watch.rests();
  watch.write({ 'a.yaml': `${addresses('mqtt')}---\nkind: [` });
  await watch.rests();
  watch.set({ applyOnChange: false });
  watch.write({ 'a.yaml': address('mqtt', 'Brokers') });
  const { awaited } = await watch.rests();
  await watch.approve();
  await watch.rests();
  watch.rob();
  await watch.pass(10_000);
  await watch.stop();
  const away = 'error failed: account: GET /reserved_addrs returned 503: later; retry in';
  expect(watch.log).toEqual([
    'info role: this process is the leader',
    'info revision: manifests loaded: 1 resource',
    ...applied('mqtt'),
    `${away} 5 s`,
    `${away} 10 s`,
    'info recovered: account: recovered after 2 failures',
    'error failed: manifests: there is no such directory; retry in 5 s',
    'info recovered: manifests: recovered after 1 failure',
    'info revision: manifests loaded with 2 errors: 1 resource',
    'error manifest: the bracket `[` is not closed',
    'error manifest: the indentation does not match the lines above',
    'warn kept: manifests have errors (a.yaml); nothing is deleted',
    'info revision: manifests loaded: 1 resource',
    'info pending: ReservedAddr/mqtt requires approval: watch.apply_on_change is off',
    `warn approval: changes require approval: run \`sluice approve ${awaited?.digest ?? ''}\``,
    'info approved: approved by ada',
    ...applied('mqtt'),
    expect.stringMatching(/^warn lock-lost: this process lost the lock: /),
    'info role: standby',
    'info stopping: this watch stops: requests in flight are completed first',
    expect.stringMatching(/^info role: standby: the leader is `sluice watch` of /),
    'info role: stopping',
  ]);
});
