import { AmbiguousAnswer } from '../api/api-errors.ts';
import type { SentRequest, SendOptions } from './send.ts';
import { readThere } from './read-live.ts';

// How long an accepted deletion may take, and the first and the longest wait between two reads.
const patience = { allMs: 30_000, firstMs: 500, longestMs: 5_000 };

/** Waits until a deleted resource or module no longer exists: a 202, or an answer about something else, does not prove that. */
export async function untilDeleted(
  sent: SentRequest,
  accepted: AmbiguousAnswer,
  options: SendOptions,
): Promise<undefined> {
  const { clock, signal } = options;
  const began = clock.now();
  let waited = 0;
  for (let wait = patience.firstMs; ; wait = Math.min(wait * 2, patience.longestMs)) {
    if (signal?.aborted === true) throw accepted;
    const there = await readThere(sent, options, accepted);
    // Only the module was to be removed, where the request names one.
    if (there === undefined || (sent.module !== undefined && there.spec[sent.module] === undefined)) return undefined;
    const left = patience.allMs - Math.max(waited, clock.now() - began);
    if (left <= 0) throw stillThere(sent, accepted);
    waited += Math.min(wait, left);
    await clock.sleep(Math.min(wait, left), signal).catch(() => undefined);
  }
}

function stillThere({ address, module }: SentRequest, { method, path, status }: AmbiguousAnswer): AmbiguousAnswer {
  const what = module === undefined ? address : `the module \`${module}\` of ${address}`;
  const message = `${what} still exists ${patience.allMs / 1000} s after the request to delete it`;
  return new AmbiguousAnswer({ method, path }, status, message);
}
