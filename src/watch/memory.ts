import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { ApplyRecord } from '../model/watch-status.ts';
import { replaceFile } from '../state/replace-file.ts';
import type { Healings } from './fights.ts';

const healing = z.object({ at: z.array(z.number()), foughtSince: z.number().optional() });

const outcome = z.looseObject({ address: z.string(), action: z.string(), ending: z.string() });

const record = z.object({
  began: z.number(),
  ended: z.number(),
  why: z.enum(['revision', 'drift', 'approval', 'renewal', 'retry']),
  revision: z.looseObject({ content: z.string() }).optional(),
  digest: z.string(),
  outcome: z.array(outcome),
  requests: z.number(),
  plan: z.string(),
});

const memory = z.object({
  format: z.literal(1),
  healings: z.record(z.string(), z.record(z.string(), healing)),
  history: z.array(record).max(50),
  approve: z.string().optional(),
});

/** What a watch remembers over restarts: what it put right lately, its last applies, and what it waits to have approved. */
export interface Memory {
  readonly healings: Healings;
  readonly history: readonly ApplyRecord[];
  readonly approve?: string;
}

/** Nothing remembered yet. */
export const noMemory: Memory = { healings: {}, history: [] };

/** Reads what an earlier watch remembered. None of it is needed, so one that cannot be read counts as none. */
export function readMemory(path: string): Memory {
  try {
    // Words such as an action are only ever shown.
    return memory.parse(JSON.parse(readFileSync(path, 'utf8'))) as unknown as Memory;
  } catch {
    return noMemory;
  }
}

/** Keeps what is to be remembered. */
export async function writeMemory(path: string, { healings, history, approve }: Memory): Promise<void> {
  await replaceFile(
    path,
    `${JSON.stringify({ format: 1, healings, history: history.slice(0, 50), ...(approve === undefined ? {} : { approve }) })}\n`,
  );
}
