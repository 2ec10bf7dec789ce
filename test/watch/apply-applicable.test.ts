import { expect, test } from 'vitest';
import { address, addresses, shop } from './company-files.ts';
import { rig, type Rig } from './rig.ts';
import { runningIn } from './running-in.ts';

const isIdle = ({ nextRefresh }: ReturnType<Rig['status']>): boolean => nextRefresh !== undefined;
const events = (watch: Rig, event: string): readonly object[] => watch.logged.filter((one) => one.event === event);
const lines = (watch: Rig, event: string): readonly string[] => watch.log.filter((one) => one.includes(` ${event}: `));

test('an apply is logged when it begins, with each change, and once it is over', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
  const { history } = await watch.until(isIdle);
  const [record] = history;
  expect(history).toHaveLength(1);
  expect(record).toMatchObject({ trigger: 'revision', approvals: [], revision: { content: '000000000001' } });
  expect(record).not.toHaveProperty('isRequested');
  expect([lines(watch, 'apply'), events(watch, 'apply')]).toEqual([
    ['info apply: changes to apply: 2'],
    [{ event: 'apply', digest: record?.digest, trigger: 'revision' }],
  ]);
  expect(lines(watch, 'change')).toEqual(
    ['ReservedAddr/mqtt', 'ReservedAddr/ssh'].map((one) => `info change: ${one}: done`),
  );
  expect(events(watch, 'change')[0]).toEqual({
    ...{ event: 'change', address: 'ReservedAddr/mqtt', action: 'create', ending: 'done' },
  });
  const seconds = (record!.finishedAt - record!.startedAt) / 1000;
  expect(lines(watch, 'applied')).toEqual([`info applied: 2 of 2 changes applied in ${seconds.toFixed(1)} s`]);
  expect(events(watch, 'applied')).toEqual([
    { ...{ event: 'applied', digest: record?.digest, changes: 2, done: 2, requests: record?.requests }, seconds },
  ]);
  expect(record?.requests).toBeGreaterThan(0);
});

test('an apply of which a change fails is a warning, names the code, and leaves the stack out of sync', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  const { lastSuccess } = await watch.until(isIdle);
  watch.account.emulator.intercept(({ method }, next) =>
    method === 'POST' ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write({ 'a.yaml': address('mqtt', 'Brokers') + addresses('ssh') });
  const status = await watch.rests();
  expect(lines(watch, 'applied').at(-1)).toMatch(/^warn applied: 1 of 2 changes applied in /);
  expect(events(watch, 'applied').at(-1)).toMatchObject({ changes: 2, done: 1 });
  expect(status.lastSuccess).toBe(lastSuccess);
  expect(status.applied?.content).toBe('000000000001');
  expect(status.failures.map(({ scope }) => scope)).toEqual(['ReservedAddr/ssh']);
});

test('a change that was cut short alone is logged with its facts', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(isIdle);
  const letGo = watch.holdUp('POST');
  const names = Array.from({ length: 11 }, (_, n) => `a${n}`);
  watch.write({ 'a.yaml': addresses('ssh', ...names) });
  await watch.until(({ applying }) => runningIn(applying).length === 10);
  watch.write({ 'a.yaml': addresses('ssh', 'a0') });
  await watch.pass(2_000);
  letGo();
  await watch.rests();
  const at = watch.log.indexOf('warn change: ReservedAddr/a10: not started');
  expect(watch.logged[at]).toEqual({
    ...{ event: 'change', address: 'ReservedAddr/a10', action: 'create', ending: 'not-started' },
  });
  expect(watch.log).toContain('info interrupted: apply interrupted; requests in progress were completed');
});

test('what was approved is applied with the approval, and its line names who approved it', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') }, { applyOnChange: false });
  const waiting = await watch.until((status) => isIdle(status) && status.awaited !== undefined);
  await watch.approve();
  const { history } = await watch.until((status) => status.history.length > 0 && isIdle(status));
  expect(history[0]?.approvals).toEqual([
    { digest: waiting.awaited?.digest, by: 'ada', at: expect.any(Number) as number },
  ]);
  expect(history[0]).toMatchObject({ trigger: 'approval', digest: waiting.awaited?.digest });
  expect(events(watch, 'applied')).toMatchObject([{ approved_by: 'ada' }]);
});

test('the record of an apply has the digest that was approved, also where a policy blocked the change until then', async () => {
  const policy = { maxDeletes: { count: 1 }, block: ['OPENS_ACCESS'] as const };
  const watch = rig({ 'a.yaml': shop(['example.com']) }, { policy });
  await watch.until(isIdle);
  watch.write({ 'a.yaml': shop(['example.com', 'example.net']) });
  const { awaited } = await watch.rests();
  expect(awaited?.plan).toContain('OPENS_ACCESS');
  expect(awaited?.plan).not.toContain('BLOCKED');
  await watch.approve();
  const { history } = await watch.until((status) => status.history.length === 2 && isIdle(status));
  expect(history[0]?.digest).toBe(awaited?.digest);
});

test('a repair of drift is reported as such, and a second resource that has not drifted has no part in it', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt', 'ssh') });
  await watch.until(isIdle);
  await watch.byHand('PATCH', 'ReservedAddr/mqtt', { description: 'by hand' });
  const { history } = await watch.until((status) => status.history.length === 2 && isIdle(status));
  expect(history[0]).toMatchObject({ trigger: 'drift', outcome: [{ address: 'ReservedAddr/mqtt', ending: 'done' }] });
  expect(history[0]?.plan).toContain('description: "by hand" -> mqtt');
});

test('an apply is a retry where all of its changes have failed before, and not where one has not', async () => {
  const watch = rig({ 'a.yaml': addresses('ssh') });
  await watch.until(isIdle);
  const retried = async (meanwhile: () => void | Promise<void>): Promise<readonly unknown[]> => {
    const works = watch.account.emulator.intercept(({ method }, next) =>
      method === 'POST' ? { status: 503, headers: {}, body: '{"msg":"later"}' } : next(),
    );
    watch.write({ 'a.yaml': addresses('ssh', `a${String(watch.now())}`) });
    await watch.until((status) => status.failures.length > 0 && isIdle(status));
    await meanwhile();
    works();
    const { history } = await watch.until((status) => status.failures.length === 0 && isIdle(status));
    return [history[0]?.trigger, history[0]?.outcome.map(({ action }) => action)];
  };
  expect((await retried(() => undefined))[0]).toBe('retry');
  const drifts = () => watch.byHand('PATCH', 'ReservedAddr/ssh', { description: 'by hand' });
  expect(await retried(drifts)).toEqual(['revision', expect.arrayContaining(['create', 'update'])]);
});

test('a commit that cannot be recorded as applied is a failure of the state, also where nothing is to be changed', async () => {
  const watch = rig({ 'a.yaml': addresses('mqtt') });
  await watch.until(isIdle);
  const stateError = { code: 'STATE_NOT_WRITTEN', message: 'cannot save the state: no space left', hint: 'make room' };
  const outcome = { changes: [], unresolved: [], duplicates: [], requests: 0, interrupted: false, stateError };
  Object.assign(watch.account, { apply: () => Promise.resolve(outcome) });
  watch.set({ isRecorded: false });
  const { failures } = await watch.rests();
  expect(failures).toMatchObject([{ scope: 'account', code: 'STATE_NOT_WRITTEN', hint: 'make room' }]);
});
