import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { AccountData } from '../../src/emulator/account/account-data.ts';
import type { Emulator } from '../../src/emulator/emulator.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state.ts';
import { seeded, type Chance } from './chance.ts';
import { oneRun, type Planted, type Ran } from './one-run.ts';
import { emulatorFor, type Prepared } from './prepare.ts';
import { isOverHttp, roadTo, type Road } from './road.ts';
import { simulatedTime, type SimulatedTime } from './simulated-time.ts';
import { settle } from './settle.ts';
import { witness, type Witness } from './witness.ts';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';

/** When a run is cut at a request: before that is sent, once it is carried out, or once it is answered. */
export const cutPoints = ['before-send', 'after-commit', 'after-answer'] as const;

/** Where a run is cut. */
export interface Cut {
  readonly request: number;
  readonly point: (typeof cutPoints)[number];
}

/** What goes wrong in one case. */
export interface Trouble {
  readonly faults: readonly string[];
  readonly seed: number;
  readonly cut?: Cut;
  readonly planted?: Planted;
}

/** What was seen of one case. */
export interface Evidence {
  readonly runs: readonly Round[];
  readonly witness: Witness;
  readonly account: AccountData;
  /** As it was when the faulted run ended. */
  readonly afterFirst: AccountData;
  readonly state: State | undefined;
  /** Addresses that a person had to settle, because the service could not tell. */
  readonly settled: readonly string[];
  /** Nothing was to go wrong. */
  readonly isUndisturbed: boolean;
  /** Which requests the faults met, as method and path. */
  readonly hit: readonly { readonly method: string; readonly path: string; readonly body: string }[];
}

/** One run with what it cost. */
export interface Round extends Ran {
  readonly requests: number;
  /** Writes that were carried out while it ran. */
  readonly writes: number;
  readonly ms: number;
}

// Two that have work to do, and quiet ones after the last, also where something is carried out long after.
const mostRuns = 8;

/** Runs a leg with trouble in it, then without, until two runs in a row have found nothing to do. */
export async function trial(prepared: Prepared, trouble: Trouble): Promise<Evidence> {
  const chance = seeded(trouble.seed);
  const emulator = emulatorFor(prepared.server, prepared.key);
  emulator.restore(prepared.account);
  const road = await roadTo(emulator);
  const time = simulatedTime(chance, road.isQuiet);
  try {
    return await happen(prepared, trouble, { emulator, road, time, chance });
  } finally {
    time.end();
    await road.close();
  }
}

interface World {
  readonly emulator: Emulator;
  readonly road: Road;
  readonly time: SimulatedTime;
  readonly chance: Chance;
}

async function happen(
  prepared: Prepared,
  { faults, seed, cut, planted = {} }: Trouble,
  { emulator, road, time, chance }: World,
): Promise<Evidence> {
  const { server, key, doors } = prepared;
  const seen = witness(emulator, doors);
  const hit: Evidence['hit'][number][] = [];
  emulator.intercept(latency(chance));
  const passing = faults.map((text) => {
    const fault = parseFault(text);
    const withdraw = emulator.intercept(faulty(fault, seed));
    return fault.mode === 'late-commit' ? () => undefined : withdraw;
  });
  const numbers = new Set(faults.flatMap((text) => Number(/@#(\d+)/.exec(text)?.[1] ?? NaN)));
  emulator.intercept((exchange, next) => {
    const { n, method, path, body } = exchange;
    if (numbers.has(n) || n === cut?.request) hit.push({ method, path, body });
    return next();
  });
  const death = new AbortController();
  const revive = cut === undefined ? () => undefined : emulator.intercept(cutting(cut, death));

  const memory = { state: prepared.state, saves: prepared.state?.serial ?? 0 };
  const within = { emulator, road, profile: server.profile, key, clock: time.clock, chance, memory, planted };
  const runs: Round[] = [];
  const settled: string[] = [];
  let desired: DesiredStack = prepared.desired;
  const round = async (more: { readonly death?: AbortSignal } = {}): Promise<void> => {
    const [requests, writes, begun] = [emulator.count(), seen.done.length, time.clock.now()];
    const ran = await time.run(() => oneRun(desired, { ...within, ...more }));
    const cost = { requests: emulator.count() - requests, writes: seen.done.length - writes };
    runs.push({ ...ran, ...cost, ms: time.clock.now() - begun });
    const { changes = [], unresolved = [] } = ran.outcome ?? {};
    const unclear = [...changes.filter(({ code }) => code === 'OUTCOME_UNKNOWN'), ...unresolved];
    // Whoever looks by hand does so later than whatever is still under way.
    if (unclear.length > 0) await time.drain();
    for (const { address } of unclear) {
      settled.push(address);
      desired = settle(address, desired, emulator.snapshot().resources, memory);
    }
  };

  await round(cut === undefined ? {} : { death: death.signal });
  revive();
  for (const withdraw of passing) withdraw();
  // Over HTTP nobody at all listens for a while, and whoever runs again waits for that.
  if (isOverHttp && faults.some((fault) => fault.startsWith('refused'))) await time.drain();
  const afterFirst = emulator.snapshot();
  for (let quiet = 0; runs.length < mostRuns && quiet < 2;) {
    await round();
    if (runs.at(-1)?.writes === 0 && runs.at(-1)?.error === undefined) quiet += 1;
    else quiet = 0;
    if (quiet === 2 && time.isAnythingDue()) {
      await time.drain();
      if (seen.done.length > runs.reduce((sum, { writes }) => sum + writes, 0)) quiet = 0;
    }
  }
  return {
    runs,
    witness: seen,
    account: emulator.snapshot(),
    afterFirst,
    state: memory.state,
    settled,
    hit,
    isUndisturbed: faults.length === 0 && cut === undefined,
  };
}

/** Requests take their time, so that those under way at once meet the service in every order. */
function latency(chance: Chance): Interceptor {
  return async (_, next) => {
    const ms = Math.ceil(chance() * 40);
    await new Promise((done) => setTimeout(done, ms));
    return next();
  };
}

function cutting({ request, point }: Cut, death: AbortController): Interceptor {
  return async ({ n }, next) => {
    const gone = { status: 200, headers: {}, body: '', broken: { how: 'reset' } } as const;
    if (death.signal.aborted) return gone;
    if (n !== request) return next();
    if (point === 'before-send') {
      death.abort();
      return gone;
    }
    const answer = await next();
    if (point === 'after-commit') {
      death.abort();
      return gone;
    }
    // It is heard, and nothing more comes of it: what would have been remembered is not.
    queueMicrotask(() => death.abort());
    return answer;
  };
}
