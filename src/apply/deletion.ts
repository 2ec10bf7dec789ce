import { AmbiguousAnswer } from '../api/api-errors.ts';
import type { SentRequest, SendOptions } from './send.ts';
import { readThere } from './read-live.ts';
import { LookUpFailed } from './look-up-failed.ts';

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
    if (!(await isLeft(sent, accepted, options))) return undefined;
    const left = patience.allMs - Math.max(waited, clock.now() - began);
    if (left <= 0) throw stillThere(sent, accepted);
    waited += Math.min(wait, left);
    await clock.sleep(Math.min(wait, left), signal).catch(() => undefined);
  }
}

/** Whether the resource still exists, or the module of it that was to be removed. */
async function isLeft(sent: SentRequest, accepted: AmbiguousAnswer, { kinds, client }: SendOptions): Promise<boolean> {
  const there = await readThere(sent.kind, sent.id, sent.parent, kinds, client.get).catch((cause: unknown) => {
    throw new LookUpFailed(accepted, cause);
  });
  return there !== undefined && (sent.module === undefined || there.spec[sent.module] !== undefined);
}

function stillThere({ address, module }: SentRequest, { method, path, status }: AmbiguousAnswer): AmbiguousAnswer {
  const what = module === undefined ? address : `the module \`${module}\` of ${address}`;
  return new AmbiguousAnswer(
    { method, path },
    status,
    `${what} still exists ${patience.allMs / 1000} s after the request to delete it`,
  );
}
