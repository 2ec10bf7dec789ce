import { expect, test } from 'vitest';
import { refreshScope } from '../../../src/stack/plan/refresh-stack.ts';
import { simulatedRun } from '../../../src/stack/plan/simulated-run.ts';
import { cloneAccount } from '../../../src/stack/service/clone-account.ts';
import { harness } from '../../support/harness.ts';

const manifest = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
spec: {region: eu}
`;

/** A run in the copy of an empty account, for one address. */
async function copied() {
  const real = harness();
  const { plan, input } = await real.plan({ 'a.yaml': manifest });
  const clone = cloneAccount(input);
  const described = input.desired.resources.map(({ address }) => address);
  const wanted = {
    desired: input.desired,
    stack: input.stack,
    scope: refreshScope({ desired: input.desired, described }, {}),
  };
  return { real, plan, wanted, copy: simulatedRun(input, clone), emulator: clone.emulator };
}

test('what is applied in a copy of an account is there, and the account itself is left as it is', async () => {
  const { real, plan, wanted, copy } = await copied();
  expect((await copy.plan(wanted)).changes).toMatchObject([{ address: 'ReservedAddr/mqtt', action: 'create' }]);
  expect(await copy.apply(plan, wanted)).toEqual({ requests: 1, failures: [], remaining: [] });
  expect(real.emulator.snapshot().resources).toEqual([]);
  expect(real.state()).toBeUndefined();
});

test('a copy that refuses a change or cannot be read reports that as a failure', async () => {
  const { plan, wanted, copy, emulator } = await copied();
  emulator.intercept(() => Promise.resolve({ status: 422, headers: {}, body: '{"msg":"not this one"}' }));
  const message = expect.stringContaining('not this one') as string;
  expect(await copy.apply(plan, wanted)).toMatchObject({
    failures: [{ address: 'ReservedAddr/mqtt', message }, { message }],
    remaining: [],
  });
});
