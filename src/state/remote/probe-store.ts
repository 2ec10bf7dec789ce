import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { StoreRefused } from '../../diagnostics/errors.ts';
import { parsedJson } from '../../model/json-object.ts';
import { drawId } from './lease-record.ts';
import { objectNames, type RemoteStore, type SwapResult } from './remote-store.ts';

/** One requirement for a store, and whether the store meets it. */
export interface ProbeStep {
  readonly step: string;
  readonly ok: boolean;
}

const races = { count: 20, of: 12 };
const mostTries = 30;
const pauseMs = 20;

/** Tries out what a lease needs of a store: each step in order, up to the first that fails. */
export async function probeStore(store: RemoteStore): Promise<readonly ProbeStep[]> {
  const prefix = `${objectNames.probing}${drawId()}`;
  const used = new Set<string>();
  const name = (what: string): string => {
    const full = `${prefix}-${what}`;
    used.add(full);
    return full;
  };
  const found: ProbeStep[] = [];
  try {
    for await (const step of stepsOf(store, name)) {
      found.push(step);
      if (!step.ok) break;
    }
  } finally {
    await store.remove([...used]).catch(() => undefined);
  }
  return found;
}

/** Each step is made once the one before it has succeeded. */
async function* stepsOf(store: RemoteStore, name: (what: string) => string): AsyncGenerator<ProbeStep, void, void> {
  const lease = name('swap');
  const [a, b, c] = [bytes(), bytes(), bytes()];
  const first = await done(store, lease, undefined, a);
  yield { step: 'the store creates an object that does not exist', ok: first !== undefined };
  const again = await swap(store, lease, undefined, b);
  yield { step: 'the store refuses to create an object that already exists', ok: again.is === 'conflict' };
  const second = await done(store, lease, first, b);
  const isKept = second !== undefined && second !== first && (await holds(store, lease, b, second));
  yield { step: 'the store returns an object as it was written', ok: isKept };
  const third = await done(store, lease, second, c);
  const isRefused = third !== undefined && (await swap(store, lease, second, a)).is === 'conflict';
  const isNewest = isRefused && (await holds(store, lease, c, third));
  yield { step: 'the store refuses a write that expects an older version of the object', ok: isNewest };
  let ok = true;
  for (let race = 0; ok && race < races.count; race++)
    ok = await hasOneWinner(store, name(`race-${race}`), race % 2 === 0);
  const step = `the store accepts exactly one of ${races.of} concurrent writes of an object (${races.count} tests)`;
  yield { step, ok };
}

/** Refuses a store that fails the probe. A store is probed once; it keeps the result. One that its objects were copied to is another store. */
export async function requireProbed(store: RemoteStore): Promise<void> {
  const found = await store.read(objectNames.probe);
  const places = passed.safeParse(parsedJson(Buffer.from(found?.bytes ?? []).toString('utf8'))).data?.places ?? [];
  if (places.includes(store.location)) return;
  const failed = (await probeStore(store)).find(({ ok }) => !ok);
  if (failed !== undefined)
    throw new StoreRefused(
      'STORE_CANNOT_SWAP',
      `the state store ${store.location} cannot be used as a lock: it fails the test "${failed.step}"`,
      { hint: 'use another store; `sluice state probe` repeats the tests' },
    );
  await store.swap(objectNames.probe, found?.version, probeBytes([...places, store.location].slice(-mostPlaces)));
}

/** The record of where a store has passed the probe. */
export function probeBytes(places: readonly string[]): Uint8Array {
  return Buffer.from(`${JSON.stringify({ probe: 1, id: drawId(), places })}\n`);
}

const passed = z.object({ places: z.array(z.string()) });
const mostPlaces = 20;

async function hasOneWinner(store: RemoteStore, name: string, isNew: boolean): Promise<boolean> {
  const expected = isNew ? undefined : await done(store, name, undefined, bytes());
  if (!isNew && expected === undefined) return false;
  const values = Array.from({ length: races.of }, bytes);
  const results = await Promise.all(values.map((value) => swap(store, name, expected, value)));
  const winners = values.filter((_, n) => results[n]?.is === 'done');
  const [winner] = winners;
  return winners.length === 1 && winner !== undefined && holds(store, name, winner);
}

async function done(
  store: RemoteStore,
  name: string,
  expected: string | undefined,
  value: Uint8Array,
): Promise<string | undefined> {
  const result = await swap(store, name, expected, value);
  return result.is === 'done' && result.version !== '' ? result.version : undefined;
}

/** A store that is unavailable for a moment has not failed: only a clear answer counts. */
async function swap(
  store: RemoteStore,
  name: string,
  expected: string | undefined,
  value: Uint8Array,
): Promise<SwapResult> {
  for (let tries = 0; tries < mostTries; tries++) {
    const result = await store.swap(name, expected, value);
    if ('cause' in result) throw result.cause;
    if (result.is !== 'again') return result;
    await pause(pauseMs * (1 + Math.random()));
  }
  return { is: 'again' };
}

async function holds(store: RemoteStore, name: string, value: Uint8Array, version?: string): Promise<boolean> {
  const found = await store.read(name);
  if (found === undefined || Buffer.compare(found.bytes, value) !== 0) return false;
  return version === undefined || found.version === version;
}

function bytes(): Uint8Array {
  return Buffer.from(drawId());
}
