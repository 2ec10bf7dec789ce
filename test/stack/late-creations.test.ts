/*
 * A machine whose clocks both stood still, such as a virtual machine that was paused as a whole, believes that it still
 * has the lock. No later entry of its journal is accepted, but creations whose intents it had recorded before may be sent.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { closeAll } from '../../src/stack/close-all.ts';
import { libraryContext } from '../../src/stack/library-context.ts';
import { takeLock } from '../../src/stack/open-backend.ts';
import { applyInWorkspace } from '../../src/stack/plan/apply-in-workspace.ts';
import { loadDesired } from '../../src/stack/plan/load-desired.ts';
import { makePlan } from '../../src/stack/plan/make-plan.ts';
import { openWorkspace } from '../../src/stack/workspace.ts';
import { machineTime, type LeaseTime } from '../../src/state/lease/lease-time.ts';
import { usualTiming as timing } from '../support/usual-timing.ts';
import type { RemoteStore } from '../../src/state/remote/remote-store.ts';
import { hastyClock } from '../attack/hasty-clock.ts';
import { directory } from '../cli/terminal.ts';
import { marked } from '../support/killed-stack.ts';
import { until } from '../support/until.ts';
import { backendOver, probed, skippingTime } from '../state/remote/backends.ts';
import { memoryStore, sharedMemory } from '../state/remote/memory-store.ts';

const parallelism = 2;
const names = Array.from({ length: 12 }, (_, n) => `a${String(n).padStart(2, '0')}`);
const all = names.map((name) => `ReservedAddr/${name}`);

/** Every second one protected, which is the default. */
const manifests = names.map((name, n) => {
  const lifecycle = n % 2 === 0 ? 'lifecycle: {protect: false}\n' : '';
  return `---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\n${lifecycle}spec: {region: eu}\n`;
});

/** Both clocks stand still, and nothing that waits for them goes on. */
const stoppedTime: LeaseTime = {
  now: () => ({ monotonic: 0, wall: 0 }),
  sleep: (_, signal) =>
    new Promise((_resolve, fail) => {
      signal?.addEventListener('abort', () => fail(new Error('aborted')), { once: true });
    }),
  every: () => () => undefined,
};

/** A switch that holds up whoever asks while it is closed. */
function gate(): { readonly pass: () => Promise<void>; readonly close: () => void; readonly open: () => void } {
  let [passed, open]: [Promise<void>, () => void] = [Promise.resolve(), () => undefined];
  return {
    pass: () => passed,
    close: () => {
      passed = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
}

/** A run that was suspended after it had sent its first creations, and what others do meanwhile. */
async function suspended() {
  const emulator = createEmulator({ apiKey: 'key' });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const dir = await directory({
    'sluice.yaml': `version: 1\nstack: {name: company, id: 5c1e7a90}\nmanifests: [manifests]\npolicy: {max_deletes: 100}\napi: {base_url: "${url}", vendor: example}\n`,
    'manifests/all.yaml': manifests.join(''),
  });
  const store = await probed(memoryStore(sharedMemory()));

  /** A run, up to its plan. */
  async function planned(over: RemoteStore = store, time = skippingTime(), heartbeats = machineTime) {
    const context = libraryContext({ dir, env: { SLUICE_API_KEY: 'key' } });
    const hasty = { ...context, io: { ...context.io, clock: hastyClock() } };
    const backend = backendOver(over, { timing, time, heartbeats });
    const lock = await takeLock(hasty, backend, 'apply');
    const opened = { backend, lock };
    const workspace = await openWorkspace(hasty, { parallelism, command: 'apply', writes: false, opened });
    const close = (): Promise<void> => closeAll(workspace.close, lock.release);
    const wanted = await loadDesired(hasty, workspace, {}, 'error');
    const made = await makePlan(hasty, workspace, wanted, {});
    return {
      plan: made.plan,
      intents: Object.keys(workspace.state?.intents ?? {}),
      apply: async () => {
        try {
          return await applyInWorkspace(hasty, workspace, made, () => undefined);
        } finally {
          await close();
        }
      },
      close,
    };
  }

  // Its requests have left and arrive late, and so does what the store answers.
  const [network, answers] = [gate(), gate()];
  const late = await planned(
    { ...store, swap: (...of) => answers.pass().then(() => store.swap(...of)) },
    stoppedTime,
    stoppedTime,
  );
  let [underWay, made] = [0, 0];
  network.close();
  emulator.intercept(async ({ method }, next) => {
    if (method === 'POST' && underWay < parallelism) {
      underWay += 1;
      await network.pass();
    }
    const answer = await next();
    if (method === 'POST') made += 1;
    return answer;
  });
  const ended = late.apply();
  await until(() => underWay === parallelism);
  answers.close();

  return {
    emulator,
    planned,
    /** What later runs want. */
    write: (text: string) => writeFile(join(dir, 'manifests/all.yaml'), text),
    /** It goes on, believing that it has the lock, until it needs an answer of the store. */
    resume: async (expected: number) => {
      const enough = made + expected;
      network.open();
      await until(() => made === enough);
      answers.open();
      return ended;
    },
  };
}

test('creations that a suspended run sends after another one has taken over are deleted by the next plan', async () => {
  const { emulator, planned, resume } = await suspended();
  const second = await planned();
  expect(second.intents.length).toBeGreaterThan(parallelism);
  expect((await second.apply()).changes.map(({ ending }) => ending)).toEqual(all.map(() => 'done'));
  expect(marked(emulator)).toEqual(all);

  const outcome = await resume(second.intents.length);
  expect(outcome.stateError).toMatchObject({ code: 'LOCK_LOST' });
  const twice = marked(emulator).filter((address, n, every) => every.indexOf(address) !== n);
  expect(twice).toEqual(second.intents.sort());

  const third = await planned();
  const deletions = third.plan.changes.filter(({ action }) => action !== 'none');
  expect(deletions.map(({ action, address, blocked }) => [action, address.replace(/ \(.*/, ''), blocked])).toEqual(
    twice.map((address) => ['delete', address, undefined]),
  );
  expect((await third.apply()).changes.every(({ ending }) => ending === 'done')).toBe(true);
  expect(marked(emulator)).toEqual(all);
  const last = await planned();
  expect(last.plan.steps).toEqual([]);
  await last.close();
});

test('creations that it sends before the other one repeats them are found, and not repeated', async () => {
  const { emulator, planned, resume } = await suspended();
  const second = await planned();
  await resume(second.intents.length);
  expect(marked(emulator)).toEqual(second.intents.sort());
  expect((await second.apply()).changes.map(({ ending }) => ending)).toEqual(all.map(() => 'done'));
  expect(marked(emulator)).toEqual(all);
  const last = await planned();
  expect(last.plan.steps).toEqual([]);
  await last.close();
});

test('creations of what the manifests have no longer are ours as well: the next plan deletes what is not protected', async () => {
  const { planned, resume, write } = await suspended();
  await write(manifests.slice(6).join(''));
  const second = await planned();
  await second.apply();
  await resume(second.intents.length);
  const third = await planned();
  const changes = third.plan.changes.filter(({ action }) => action !== 'none');
  expect(changes.map(({ action, address, blocked }) => [action, address, blocked?.code])).toEqual(
    all.slice(0, 6).map((address, n) => ['delete', address, n % 2 === 0 ? undefined : 'PROTECTED']),
  );
  await third.close();
});
