import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';
import { sluice, stack, stackFile } from './terminal.ts';

const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu}
`;

const addresses = (emulator: Emulator): string[] =>
  emulator.snapshot().resources.flatMap(({ kind, id }) => (kind === 'ReservedAddr' ? [id] : []));

/** Holds creations until so many have come, so that each run has planned before any has written. */
function together(count: number): Interceptor {
  const waiting: (() => void)[] = [];
  return async ({ method }, next) => {
    if (method === 'POST') {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === count) for (const wake of waiting) wake();
      });
    }
    return next();
  };
}

/** Two copies of a stack, each with a state of its own, that were applied at once. */
async function appliedTwice() {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
  const dirs = [await stack(address, stackFile), await stack(address, stackFile)];
  const withdraw = emulator.intercept(together(2));
  const ended = await Promise.all(dirs.map((dir) => sluice(dir, 'apply --auto-approve --format json', { env })));
  withdraw();
  return { emulator, env, dirs, ended };
}

test('two copies of a stack that are applied at once report what they both created', async () => {
  const { emulator, env, dirs, ended } = await appliedTwice();
  const ids = addresses(emulator);
  expect(ids).toHaveLength(2);
  const last = ended.find(({ code }) => code === 6);
  const { outcome } = JSON.parse(last?.out ?? '{}') as {
    outcome: { duplicates: { id: string; other_ids: string[] }[] };
  };
  expect(outcome.duplicates.map(({ id, other_ids: others }) => [id, ...others].sort())).toEqual([[...ids].sort()]);

  const [dir = ''] = dirs;
  const plan = await sluice(dir, 'plan', { env });
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.err).toMatch(/has the same ownership marker[^]*--keep-oldest/);
  expect(plan.out).toContain('No changes');
  expect(await sluice(dir, 'apply --auto-approve --keep-oldest', { env })).toMatchObject({ code: 0 });
  expect(addresses(emulator)).toHaveLength(1);
  expect(await sluice(dir, 'plan --detailed-exitcode', { env })).toMatchObject({ code: 0, err: '' });
});

test('a state that names none of the duplicates stops every plan, until the oldest is kept', async () => {
  const { emulator, env } = await appliedTwice();
  const dir = await stack(address, stackFile);
  for (const command of ['plan', 'apply --auto-approve', 'destroy --auto-approve']) {
    const { code, err } = await sluice(dir, command, { env });
    expect(code).toBe(3);
    const [one, other] = addresses(emulator).map((id) => `ReservedAddr ${id} \\(created [^)]+\\)`);
    expect(err).toMatch(new RegExp(`^  - ReservedAddr/mqtt: (${one}, ${other}|${other}, ${one})$`, 'm'));
  }
  const [oldest] = addresses(emulator).sort();
  expect(oldest).toBeDefined();
  expect((await sluice(dir, 'plan --keep-oldest', { env })).out).toContain('1 to delete');
  expect(await sluice(dir, 'destroy --auto-approve --keep-oldest', { env })).toMatchObject({ code: 0 });
  expect(addresses(emulator)).toEqual([]);
});
