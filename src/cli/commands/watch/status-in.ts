import { SluiceError } from '../../../diagnostics/errors.ts';
import { statusJsonSchema, type StatusJson } from '../../../render/status/status-json-schema.ts';

/** The status of a stack in what a watch, or the page of one, returned. Throws for that of another version. */
export function statusIn(answer: unknown, { from, hint }: typeof watchHere): StatusJson {
  const status = statusJsonSchema.safeParse(answer).data;
  if (status !== undefined) return status;
  throw new SluiceError(
    'WATCH_NOT_REACHABLE',
    `${from} returned no status: the response is not a status that this version of sluice understands`,
    { hint },
  );
}

/** The watch that answers over the socket of a stack. */
export const watchHere = { from: 'the watch of this stack', hint: 'use the same version of sluice as the watch' };
