import { mostRuns } from './most-runs.ts';
import { drawId } from './remote/lease-record.ts';
import { objectNames, type RemoteStore } from './remote/remote-store.ts';
import { runBytes, runIn, type RunFacts, type RunRecord } from './run-record.ts';

const mostAgeMs = 90 * 86_400_000;
const readsAtOnce = 10;

/** Where records are kept: a store that several machines share, or files. */
export type RunStore = Pick<RemoteStore, 'read' | 'list' | 'swap' | 'remove'>;

/** Adds the record of a run, and lets go of those that are too many or too old. */
export async function addRun(
  store: RunStore,
  now: number,
  facts: RunFacts,
  run: Omit<Parameters<typeof runBytes>[1], 'ended'>,
): Promise<void> {
  const ended = new Date(now).toISOString();
  const name = `${objectNames.runs}${compact(ended)}.${run.fence ?? drawId().slice(0, 8)}`;
  await store.swap(name, undefined, runBytes(facts, { ...run, ended }));
  const names = await runNames(store);
  const oldest = `${objectNames.runs}${compact(new Date(now - mostAgeMs).toISOString())}`;
  const old = names.filter((one, n) => n >= mostRuns || one < oldest);
  if (old.length > 0) await store.remove(old);
}

/** The records of the latest runs, newest first. */
export async function readRuns(store: RunStore, count: number): Promise<readonly RunRecord[]> {
  const names = (await runNames(store)).slice(0, count);
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

function compact(time: string): string {
  return time.replace(/[-:.]/g, '');
}
