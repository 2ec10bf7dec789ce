import { hash } from 'node:crypto';
import { readSafely } from '../../files/safe-file.ts';
import { stampOf, statsOf } from '../../state/file/file-identity.ts';

/** What a file holds, and how it would show that somebody wrote to it. */
export interface FileDigest {
  /** Differs when the bytes differ. */
  readonly digest: string;
  /** Differs when the file was written to, even with the same bytes, or is another one of that name. */
  readonly stamp: string;
  /** When it was last written to, moved or made, in milliseconds since 1970; Infinity where there is none. */
  readonly changedAt: number;
}

/** Digests of files, of which most are only read when their stamp has changed. */
export interface FileDigests {
  readonly of: (path: string) => FileDigest;
  /** Ends a round: what was not asked for in it is forgotten. */
  readonly endRound: () => void;
}

// A file system may give two writes so close together one and the same time.
const youngMs = 2000;

// Stamps can lie (a clock set back, a network file system), so that every file is read again after so many rounds.
const roundsUntrusted = 32;

/** Creates an empty cache of digests; `now` is in milliseconds since 1970, as files have it. */
export function fileDigests(now: () => number = Date.now): FileDigests {
  let known = new Map<string, FileDigest & { readonly isSure: boolean; readonly turn: number }>();
  let asked: typeof known = new Map();
  let round = 0;
  return {
    of: (path) => {
      const before = asked.get(path) ?? known.get(path);
      const stats = statsOf(path);
      const stamp = stampOf(stats);
      const isDue = before !== undefined && before.turn % roundsUntrusted === round % roundsUntrusted;
      if (before?.stamp === stamp && before.isSure && (!isDue || asked.has(path))) {
        asked.set(path, before);
        return before;
      }
      // Taken before the bytes: what is written while they are read shows in the next stamp.
      const changedAt = typeof stats === 'string' ? Infinity : Number(stats.ctimeMs);
      const found = {
        digest: typeof stats === 'string' ? stats : digestOf(path, stamp),
        stamp,
        changedAt,
        isSure: typeof stats === 'string' || now() - changedAt > youngMs,
        turn: before?.turn ?? asked.size,
      };
      asked.set(path, found);
      return found;
    },
    endRound: () => {
      known = asked;
      asked = new Map();
      round += 1;
    },
  };
}

// What is never read, because it is too large or no text, changes when it is written to.
function digestOf(path: string, stamp: string): string {
  const read = readSafely(path);
  return 'text' in read ? hash('sha256', read.text) : `${read.code} ${stamp}`;
}
