import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Address } from '../model/address.ts';
import type { ApplyRecord } from '../model/watch-status.ts';
import { StateError } from '../diagnostics/errors.ts';
import { replaceFile } from '../files/replace-file.ts';
import { keptFileBytes, readSafely } from '../files/safe-file.ts';
import type { DriftRepairs } from './decide/drift-conflicts.ts';

const healing = z.object({
  at: z.array(z.number()),
  foughtSince: z.number().optional(),
  wanted: z.string().optional(),
});

const outcome = z.looseObject({ address: z.string(), action: z.string(), ending: z.string() });

const record = z.object({
  startedAt: z.number(),
  finishedAt: z.number(),
  trigger: z.enum(['revision', 'drift', 'approval', 'renewal', 'retry']),
  revision: z.looseObject({ content: z.string() }).optional(),
  digest: z.string(),
  outcome: z.array(outcome),
  requests: z.number(),
  plan: z.string(),
});

const memory = z.object({
  format: z.literal(1),
  salt: z.string().min(16),
  healings: z.record(z.string(), z.record(z.string(), healing)),
  history: z.array(record).max(50),
  approve: z.string().optional(),
  approved: z.record(z.string(), z.string()),
  heard: z.array(z.string()),
});

/** What a watch remembers over restarts. */
export interface WatchState {
  /** Of the digests that stand for secrets in what is approved; random, made once. */
  readonly salt: string;
  /** What was put right lately. */
  readonly healings: DriftRepairs;
  /** The last applies, newest first. */
  readonly history: readonly ApplyRecord[];
  /** What it waits to have approved. */
  readonly approve?: string;
  /** What persons have approved and what is not done yet: changes as they are to be made. */
  readonly approved: Readonly<Record<Address, string>>;
  /** The approvals that have been taken to heart, each of which counts once. */
  readonly heard: readonly string[];
}

/** Nothing remembered yet. */
export function emptyWatchState(): WatchState {
  return { salt: randomBytes(16).toString('hex'), healings: {}, history: [], approved: {}, heard: [] };
}

/**
 * Reads what an earlier watch remembered; none where it is damaged, since none of it is needed. A file that may not be
 * read is an error: it must not be replaced by one that knows less.
 */
export function readWatchState(path: string): WatchState {
  const read = readSafely(path, keptFileBytes);
  if ('code' in read && read.code !== 'FILE_NOT_FOUND' && read.code !== 'INVALID_TEXT')
    throw new StateError('WATCH_STATE_UNREADABLE', `${path} ${read.message}`, {
      hint: 'make it readable for the user that runs `sluice watch`',
    });
  if (!('text' in read)) return emptyWatchState();
  try {
    // Words such as an action are only ever shown.
    return memory.parse(JSON.parse(read.text)) as unknown as WatchState;
  } catch {
    return emptyWatchState();
  }
}

/** Keeps what is to be remembered. */
export async function writeWatchState(path: string, kept: WatchState): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ format: 1, ...kept })}\n`, { isKept: true });
}
