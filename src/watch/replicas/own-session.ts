import * as z from 'zod';
import { isPageUrl } from '../../model/is-page-url.ts';
import { parsedJson } from '../../model/json-object.ts';
import type { LeaseTime } from '../../state/lease/lease-time.ts';
import { longestLeaseMs, type LeaseTiming } from '../../state/lease/lease-timing.ts';
import { drawId } from '../../state/remote/lease-record.ts';
import type { RemoteStore } from '../../state/remote/remote-store.ts';
import { patienceFor, pendingSwap, type PendingSwap } from '../../state/remote/settled-swap.ts';
import type { ReplicaClaims } from './divide-stacks.ts';

const paths = z
  .array(z.string().max(4_096))
  .max(10_000)
  .transform((all): ReadonlySet<string> => new Set(all));

const record = z.object({
  session: z.literal(1),
  /** Random: no two writes of a session are equal. */
  id: z.string(),
  /** False: the replica has left, or another one has ended the session of a replica that was silent. It never becomes true again. */
  alive: z.boolean(),
  version: z.string(),
  since: z.string(),
  heartbeat: z.int().min(0),
  /** A replica that has not written for so long is dead. */
  duration_ms: z.int().min(1).max(longestLeaseMs),
  url: z.string().refine(isPageUrl).optional().catch(undefined),
  holds: paths,
  awaits: paths,
  avoids: paths,
});

/** What a replica writes about itself. */
export type SessionRecord = z.infer<typeof record>;

/** The bytes of a session that is about to be written: never the same twice. */
export function sessionBytes({ holds, awaits, avoids, ...given }: Omit<SessionRecord, 'id'>): Uint8Array {
  const claims = { holds: [...holds], awaits: [...awaits], avoids: [...avoids] };
  return Buffer.from(`${JSON.stringify({ ...given, ...claims, id: drawId() })}\n`);
}

/** Reads a session; undefined where it is none. */
export function sessionIn(bytes: Uint8Array): SessionRecord | undefined {
  return record.safeParse(parsedJson(Buffer.from(bytes).toString('utf8'))).data;
}

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
    const patience = patienceFor(time, timing.heartbeatMs);
    pending ??= pendingSwap(store, {
      name,
      expected: version,
      bytes: sessionBytes({
        session: 1,
        alive,
        ...about,
        heartbeat: heartbeat++,
        duration_ms: timing.durationMs,
        ...claims,
      }),
    });
    const swapped = await pending(patience);
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
