import { hash } from 'node:crypto';
import * as z from 'zod';
import { StateError } from '../../diagnostics/errors.ts';
import { drawId } from './lease-record.ts';
import { parsedObject } from '../../model/json-object.ts';

const head = z.strictObject({
  stored_state: z.literal(1),
  id: z.string(),
  /** Of the run that wrote it. */
  fence: z.int().min(0),
  /** All entries up to this one are in it. */
  folded: z.strictObject({ fence: z.int().min(0), entry: z.int().min(0) }),
  /** Where the state is now, if it was moved away: then there is no text. */
  moved: z.string().exactOptional(),
});

/** A stored state: its head, and the text of the state as files hold it. */
export interface StateObjectContent {
  readonly head: Omit<z.infer<typeof head>, 'stored_state' | 'id'>;
  readonly text: string;
}

/** The bytes of a state that is about to be written. */
export function stateObjectBytes({ head: given, text }: StateObjectContent): Uint8Array {
  return Buffer.from(`${JSON.stringify({ stored_state: 1, id: drawId(), ...given })}\n${text}`);
}

/** Reads a stored state, all but the state proper. */
export function stateObjectIn(bytes: Uint8Array, location: string): StateObjectContent {
  const whole = Buffer.from(bytes).toString('utf8');
  const end = whole.indexOf('\n');
  const value = parsedObject(whole.slice(0, end));
  const format = value?.['stored_state'];
  if (typeof format === 'number' && format > 1)
    throw new StateError('STATE_TOO_NEW', `the state in ${location} was written by a newer sluice`, {
      hint: 'use the sluice version that wrote the state, or a later version',
    });
  const read = head.safeParse(value);
  if (!read.success)
    throw new StateError('STATE_DAMAGED', `the state in ${location} cannot be read`, {
      hint: 'run `sluice state rebuild` to rebuild the state from the ownership markers',
    });
  const { stored_state: _, id: _id, ...facts } = read.data;
  return { head: facts, text: whole.slice(end + 1) };
}

/** Where a stored state was moved, if it was; the others need not be readable. */
export function movedFrom(bytes: Uint8Array): string | undefined {
  const line = bytes.indexOf(newline);
  return head.safeParse(parsedObject(Buffer.from(bytes.subarray(0, line)).toString('utf8'))).data?.moved;
}

const newline = '\n'.charCodeAt(0);

/** The digest by which a lease names the state that was written last. */
export function storedDigest(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
