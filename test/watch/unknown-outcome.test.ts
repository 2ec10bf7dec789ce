import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';
import { address, startWatch } from './start-watch.ts';

test('a watch does not ask anybody to run a plan: it reads the account again automatically', async () => {
  const { emulator, until, status, stop, write, described } = await startWatch('heal_drift: true', {
    'a.yaml': address('brokers'),
  });
  await until(async () => (await described()) === 'brokers');
  const over = emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? { status: 500, headers: {}, body: '{}' } : next(),
  );
  await write('a.yaml', address('meters'));
  await until(async () => (await status()).applies.some(({ changes }) => changes[0]?.outcome === 'unknown'));
  const { applies, pending } = await status();
  expect(applies[0]?.changes[0]?.message).toMatch(
    /\(sluice reads the account again to see whether the change was made\)$/,
  );
  expect(JSON.stringify([applies, pending])).not.toContain('sluice plan');
  over();
  await until(async () => (await described()) === 'meters');
  await stop();
});

const shop = (match: string) => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {description: ${match}, sources: [{type: a.v0}]}
`,
});

test.each([
  ['a person', false, ' (run `sluice plan` again)'],
  ['a watch', true, ''],
])('a resource that is gone when %s changes it leaves that to whoever plans next', async (_who, isRepeated, hint) => {
  const walk = harness();
  await walk.converge(shop('one'));
  const { plan } = await walk.plan(shop('two'));
  const [there] = walk.emulator.snapshot().resources;
  await walk.emulator.handle({
    method: 'DELETE',
    path: `/event_subscriptions/${there?.id ?? ''}`,
    headers: { authorization: 'Bearer somebody', 'example-version': '2' },
    body: '',
    actor: 'somebody',
  });
  const { changes } = await walk.apply(plan, { isRepeated });
  expect(changes[0]?.message).toMatch(/ was deleted outside this run/);
  expect(changes[0]?.message?.endsWith(`outside this run${hint}`)).toBe(true);
});

test.each([
  ['a person', false, /^make the state store writable and run `sluice apply` again; sluice finds /],
  ['a watch', true, /^make the state store writable; the next apply finds /],
])('a state that %s could not save has to be writable', async (_who, isRepeated, hint) => {
  const walk = harness();
  const { plan } = await walk.plan(shop('one'));
  const { stateError } = await walk.apply(plan, {
    isRepeated,
    save: () => Promise.reject(new Error('the disk is full')),
  });
  expect(stateError?.hint).toMatch(hint);
});

test.each([
  ['a person', false, /--absent`; then run `sluice apply` again\)$/],
  ['a watch', true, /--absent`\)$/],
])('a creation that %s cannot find out about is resolved by a person', async (_who, isRepeated, hint) => {
  const walk = harness();
  const { plan } = await walk.plan({
    'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {region: eu, metadata: plain}
`,
  });
  walk.emulator.intercept(faulty(parseFault('reset-after@POST:ReservedAddr:1')));
  const { changes } = await walk.apply(plan, { isRepeated });
  expect(changes[0]?.message).toMatch(hint);
});
