import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { StateError, LockHeld } from '../../diagnostics/errors.ts';
import { parsedObject } from '../../model/json-object.ts';
import { longestLeaseMs } from '../lease/lease-timing.ts';

const holder = z.strictObject({
  command: z.string(),
  owner: z.string(),
  host: z.string(),
  pid: z.int(),
  since: z.string(),
  /** The pipeline job that runs it. */
  url: z.string().exactOptional(),
});

/** Who holds a lease, for people. */
export type LeaseOwner = z.infer<typeof holder>;

const record = z.strictObject({
  lease: z.literal(1),
  /** Random: no two writes of a lease are equal. */
  id: z.string(),
  /** Of the run that holds it; null: nobody does. */
  token: z.string().nullable(),
  /** One more with each run that takes it. */
  fence: z.int().min(0),
  /** All that runs up to this fence have recorded is in the state, and nothing more comes from them. */
  folded_through: z.int().min(0),
  /** The state that was written last, as far as the holder has reported it; null: there never was one. */
  state: z.strictObject({ serial: z.int().min(0), digest: z.string() }).nullable(),
  timeline: z.string(),
  duration_ms: z.int().min(1).max(longestLeaseMs),
  heartbeat: z.int().min(0),
  owner: holder.nullable(),
  /** Where the state is now, if it was moved away. */
  moved: z.string().exactOptional(),
});

/** The right to write, as the store keeps it. */
export type LeaseRecord = z.infer<typeof record>;

/** A random text that makes a write different from all others. */
export function drawId(): string {
  return randomBytes(12).toString('hex');
}

/** The bytes of a lease that is about to be written: never the same twice. */
export function leaseBytes(given: LeaseRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify({ ...given, id: drawId() })}\n`);
}

/** Reads a lease. One that a newer sluice wrote, or that was damaged, is an error. */
export function leaseIn(bytes: Uint8Array, location: string): LeaseRecord {
  const value = parsedObject(Buffer.from(bytes).toString('utf8'));
  const read = record.safeParse(value);
  if (read.success) return read.data;
  const format = value?.['lease'];
  if (typeof format === 'number' && format > 1)
    throw new StateError('STATE_TOO_NEW', `the lock record in ${location} was written by a newer version of sluice`, {
      hint: 'use the version of sluice that wrote the lock record, or a later version',
    });
  throw new StateError('LEASE_DAMAGED', `the lock record in ${location} cannot be read`, {
    hint: 'make sure that no run is active, then run `sluice state unlock`',
  });
}

/** The error for a run whose lease another run has taken over. */
export function lockLost(): LockHeld {
  return new LockHeld('LOCK_LOST', 'another run has taken over the lock of this stack', {
    hint: 'wait for the other run to finish, then run the command again',
    hintInWatch: '',
  });
}
