import { shortestSince, type Instant } from '../../state/lease/lease-time.ts';
import { patienceFor, settledSwap } from '../../state/remote/settled-swap.ts';
import { sessionBytes, sessionIn, sessionsPrefix, type SessionRecord, type SessionStore } from './own-session.ts';

/** The session of another replica that is not dead. */
export interface OtherSession extends SessionRecord {
  /** It has missed several heartbeats. Its locks end a lease duration after somebody has begun to wait for them, so others begin now. */
  readonly isSilent: boolean;
}

// What has ended is removed when nobody can take it for anything else any more.
const durationsKept = 10;
// One that the store did not take in time is nothing unusual.
const heartbeatsMissed = 3;

/**
 * Finds the live replicas beside one. A replica is dead once its session has not changed for its whole duration, by the clock
 * of the one that reads: no two clocks are compared. Its session is ended first, so that its own next heartbeat fails.
 */
export function otherSessions({
  store,
  time,
  timing,
}: SessionStore): (own: string) => Promise<ReadonlyMap<string, OtherSession>> {
  const seen = new Map<string, { readonly version: string; readonly at: Instant }>();

  async function liveSession(name: string): Promise<OtherSession | undefined> {
    const found = await store.read(name);
    const record = found && sessionIn(found.bytes);
    if (found === undefined || record === undefined) return undefined;
    const before = seen.get(name);
    if (before?.version !== found.version) {
      seen.set(name, { version: found.version, at: time.now() });
      return record.alive ? { ...record, isSilent: false } : undefined;
    }
    const silentMs = shortestSince(before.at, time.now());
    if (!record.alive) {
      if (silentMs >= durationsKept * record.duration_ms) await store.remove([name]);
      return undefined;
    }
    const silent = { ...record, isSilent: silentMs >= heartbeatsMissed * timing.heartbeatMs };
    if (silentMs < record.duration_ms) return silent;
    const wanted = { name, expected: found.version, bytes: sessionBytes({ ...record, alive: false }) };
    const ended = await settledSwap(store, wanted, patienceFor(time, timing.heartbeatMs));
    return ended === undefined ? silent : undefined;
  }

  return async (own) => {
    const names = (await store.list(sessionsPrefix)).filter((name) => name !== `${sessionsPrefix}${own}`);
    for (const name of seen.keys()) if (!names.includes(name)) seen.delete(name);
    const found = await Promise.all(names.map(async (name) => [name, await liveSession(name)] as const));
    return new Map(
      found.flatMap(([name, record]) => (record === undefined ? [] : [[name.slice(sessionsPrefix.length), record]])),
    );
  };
}
