import * as z from 'zod';
import { mostKept } from './kept-text.ts';

/** The last possible date: a pause until then has no end. */
export const indefinitely = 8.64e15;

/** A pause that somebody has requested. Times are milliseconds since 1970. */
export const pauseRequest = z.strictObject({
  until: z.number().max(indefinitely),
  /** When it was asked for. */
  at: z.number().optional(),
  reason: z.string().max(mostKept.reason).optional(),
  by: z.string().max(mostKept.name).optional(),
});

/** The pause in force, if any, and the number of the latest pause or end of one that an operator has proven: none with a lower number counts again. */
export const keptPause = z.object({ serial: z.number(), inForce: pauseRequest.optional() });

/** What a watch keeps of pauses. */
export type KeptPause = z.infer<typeof keptPause>;

/** What two processes keep of pauses, as one: what was proven last, and of that the longer pause. */
export function latestPause(one: KeptPause | undefined, other: KeptPause | undefined): KeptPause | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const [a, b] = [one, other].map(({ inForce }) => inForce?.until ?? 0) as [number, number];
  return (one.serial - other.serial || a - b) >= 0 ? one : other;
}
