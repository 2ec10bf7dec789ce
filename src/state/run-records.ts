import { mostRuns } from './most-runs.ts';
import { drawId } from './remote/lease-record.ts';
import { objectNames, type RemoteStore } from './remote/remote-store.ts';
import { runBasis, runBytes, runIn, type DoneRun, type PlannedRun, type RunRecord } from './run-record.ts';
import { timeInName } from './time-in-name.ts';

const mostAgeMs = 90 * 86_400_000;
const readsAtOnce = 10;

/** Where records are kept: a store that several machines share, or files. */
export type RunStore = Pick<RemoteStore, 'read' | 'list' | 'swap' | 'remove'>;

/** What is recorded of a run that begins: what it is about to do, and what it has possibly done if no end follows. */
export interface BegunRun {
  readonly planned: PlannedRun;
  readonly possible: DoneRun;
}

/** Records how a run ended. */
export type EndRun = (done: DoneRun) => Promise<void>;

/**
 * Adds the record of a run before it sends anything, so that whoever kills it does not erase what it was allowed to do.
 * What it returns completes the record, and lets go of those that are too many or too old.
 */
export async function beginRun(
  store: RunStore,
  now: () => number,
  { planned, possible }: BegunRun,
  by: Omit<Parameters<typeof runBasis>[1], 'id' | 'began'>,
): Promise<EndRun> {
  const id = drawId();
  // A watch makes many runs under one lock.
  const began = new Date(now());
  const basis = runBasis(planned, { id, began: began.toISOString(), ...by });
  // Files are written in turn by the processes of one machine, which share a clock of nanoseconds: runs of one millisecond keep their order.
  const name = `${objectNames.runs}${timeInName(began)}.${by.fence ?? process.hrtime.bigint().toString(16).padStart(16, '0')}`;
  const begun = await store.swap(name, undefined, runBytes({ ...basis, ...possible }));
  return async (done) => {
    // Without an answer it may be there all the same.
    const version = begun.is === 'done' ? begun.version : (await store.read(name))?.version;
    await store.swap(name, version, runBytes({ ...basis, ...done, ended: new Date(now()).toISOString() }));
    await removeOld(store, now());
  };
}

async function removeOld(store: RunStore, now: number): Promise<void> {
  const names = await runNames(store);
  const byAge = `${objectNames.runs}${timeInName(new Date(now - mostAgeMs))}`;
  const byCount = names.filter(isRecord)[mostRuns - 1] ?? '';
  const old = names.filter((one) => one < byAge || one < byCount);
  if (old.length > 0) await store.remove(old);
}

/** The records of the latest runs, newest first. */
export async function readRuns(store: RunStore, count: number): Promise<readonly RunRecord[]> {
  const names = (await runNames(store)).filter(isRecord).slice(0, count);
  const found: RunRecord[] = [];
  for (let next = 0; next < names.length; next += readsAtOnce) {
    const read = await Promise.all(names.slice(next, next + readsAtOnce).map((name) => store.read(name)));
    found.push(...read.flatMap((object) => (object && runIn(object.bytes)) ?? []));
  }
  return found;
}

// Newest first: names begin with the time.
async function runNames(store: RunStore): Promise<readonly string[]> {
  return [...(await store.list(objectNames.runs))].sort().reverse();
}

// In files, what a run was writing when it was killed is beside its record.
function isRecord(name: string): boolean {
  return /^\d{8}T\d{9}Z\.[0-9a-f]+$/.test(name.slice(objectNames.runs.length));
}
