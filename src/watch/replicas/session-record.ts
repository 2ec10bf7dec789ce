import * as z from 'zod';
import { isPageUrl } from '../../model/is-page-url.ts';
import { longestLeaseMs } from '../../state/lease/lease-timing.ts';
import { drawId } from '../../state/remote/lease-record.ts';
import { parsedJson } from '../../model/json-object.ts';

const paths = z.array(z.string().max(4_096)).max(10_000);

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
export function sessionBytes(given: Omit<SessionRecord, 'id'>): Uint8Array {
  return Buffer.from(`${JSON.stringify({ ...given, id: drawId() })}\n`);
}

/** Reads a session; undefined where it is none. */
export function sessionIn(bytes: Uint8Array): SessionRecord | undefined {
  return record.safeParse(parsedJson(Buffer.from(bytes).toString('utf8'))).data;
}
