import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import * as z from 'zod';
import { safeText } from '../../diagnostics/safe-text.ts';
import { ownIdentity } from '../../files/process-identity.ts';
import { parsedJson } from '../../model/json-object.ts';

const lease = z
  .object({
    token: z.string().regex(/^[0-9a-f]{16}$/),
    owner: z.string(),
    host: z.string(),
    machine: z.string(),
    pid: z.int().positive(),
    processStart: z.string(),
    command: z.string(),
    started: z.string(),
    /** The last heartbeat of its holder; for people only: clocks of two machines are never compared. */
    heartbeat: z.string(),
  })
  .readonly();

/** The holder of a lock, as recorded in the lock. */
export type Lease = z.infer<typeof lease>;

/** A lease of this process that begins now. */
export function newLease(command: string, now: Date): Lease {
  const started = now.toISOString();
  const who = { owner: userName(), host: hostname(), ...ownIdentity() };
  return { token: randomBytes(8).toString('hex'), ...who, command, started, heartbeat: started };
}

/** Reads a lock file; undefined when it is none. */
export function readLease(text: string): Lease | undefined {
  return lease.safeParse(parsedJson(text)).data;
}

/** A holder of a lock as text; `url` is that of the pipeline job that runs it. */
export function holderText(
  { command, owner, host, pid }: Pick<Lease, 'command' | 'owner' | 'host' | 'pid'>,
  since: string,
  url = '',
): string {
  const from = /^https?:\/\//.test(url) ? `, ${safeText(url, 300)}` : '';
  return `\`${safeText(command, 80)}\` of ${safeText(owner, 80)} on ${safeText(host, 80)} (process ${pid}, since ${safeText(since, 40)}${from})`;
}

/** The name of the user of this process. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
