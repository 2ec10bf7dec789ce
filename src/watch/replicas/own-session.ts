import { longestSince, type LeaseTime } from '../../state/lease/lease-time.ts';
import type { LeaseTiming } from '../../state/lease/lease-timing.ts';
import type { RemoteStore } from '../../state/remote/remote-store.ts';
import { pendingSwap, type PendingSwap } from '../../state/remote/settled-swap.ts';
import type { ReplicaClaims } from './divide-stacks.ts';
import { sessionBytes, type SessionRecord } from './session-record.ts';

/** Where the sessions of all replicas are in their store. */
export const sessionsPrefix = 'replicas/';

/** The store of the sessions, and their durations. */
export interface SessionStore {
  readonly store: RemoteStore;
  readonly time: LeaseTime;
  readonly timing: LeaseTiming;
}

/** What a replica publishes about itself. */
export type AboutReplica = Pick<SessionRecord, 'version' | 'since' | 'url'>;

/** The session of this replica. */
export interface OwnSession {
  readonly id: string;
  /** Renews the session and publishes the claims; false once another replica has ended the session. Rejects in an outage. */
  readonly heartbeat: (claims: ReplicaClaims) => Promise<boolean>;
  /** Ends it, so that others need not wait. */
  readonly leave: () => Promise<void>;
}

/** Begins a session; it exists once its first heartbeat has arrived. */
export function ownSession(id: string, about: AboutReplica, { store, time, timing }: SessionStore): OwnSession {
  const name = `${sessionsPrefix}${id}`;
  let version: string | undefined;
  let heartbeat = 0;
  // One that ended without a result may still be carried out: it is repeated before there is another.
  let pending: PendingSwap | undefined;

  async function write(claims: ReplicaClaims, alive: boolean): Promise<boolean> {
    const began = time.now();
    const mayGoOn = (): boolean => longestSince(began, time.now()) < timing.heartbeatMs;
    pending ??= pendingSwap(store, {
      name,
      expected: version,
      bytes: sessionBytes({
        session: 1,
        alive,
        ...about,
        heartbeat: heartbeat++,
        duration_ms: timing.durationMs,
        holds: [...claims.holds],
        awaits: [...claims.awaits],
        avoids: [...claims.avoids],
      }),
    });
    const swapped = await pending({ time, mayGoOn });
    pending = undefined;
    version = swapped?.version;
    return swapped !== undefined;
  }

  return {
    id,
    heartbeat: (claims) => write(claims, true),
    leave: async () => {
      const none = { holds: new Set<string>(), awaits: new Set<string>(), avoids: new Set<string>() };
      if (pending !== undefined && !(await write(none, false))) return;
      if (version !== undefined) await write(none, false);
    },
  };
}
