import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import * as z from 'zod';
import { StateError } from '../diagnostics/errors.ts';
import { replaceFile } from '../state/replace-file.ts';

/** The last moment that there is a date for: a pause until then has no end. */
export const noEnd = 8.64e15;

/** How the digest of waiting changes is spelled. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/;

const wishes = z.strictObject({
  format: z.literal(1),
  pause: z
    .strictObject({ until: z.number().max(noEnd), reason: z.string().max(200).optional(), by: z.string().max(80) })
    .optional(),
  approvals: z
    .array(z.strictObject({ digest: z.string().regex(digestPattern), by: z.string().max(80), at: z.number() }))
    .max(100),
});

/** What persons have asked of the watch of a stack: to pause until a time, and which waiting changes they approve. Times are milliseconds since 1970. */
export type Wishes = z.infer<typeof wishes>;

/** Nothing asked. */
export const noWishes: Wishes = { format: 1, approvals: [] };

/** Where the wishes for a stack are kept: beside its state, so that replicas that share one share them. */
export function wishesOf(statePath: string): string {
  return join(dirname(statePath), `${prefixOf(statePath)}watch-wishes.json`);
}

/** Where a watch keeps what it remembers, beside the state. */
export function watchMemoryOf(statePath: string): string {
  return join(dirname(statePath), `${prefixOf(statePath)}watch-memory.json`);
}

/** Reads the wishes; none where nobody has asked anything. A file that is there and cannot be read might say pause, so it is an error. */
export function readWishes(path: string): Wishes {
  try {
    return wishes.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noWishes;
    throw new StateError('WISHES_UNREADABLE', `${path} cannot be read, and it may ask for a pause`, {
      cause: error,
      hint: 'ask again with `sluice pause` or `sluice resume`, which write it anew',
    });
  }
}

/** Writes the wishes, whole. Approvals older than a week are dropped. */
export async function writeWishes(path: string, { pause, approvals }: Wishes, now: number): Promise<void> {
  const recent = approvals.filter(({ at }) => now - at < 7 * 86_400_000).slice(-100);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(
    path,
    `${JSON.stringify({ format: 1, ...(pause === undefined ? {} : { pause }), approvals: recent })}\n`,
  );
}

/** What tells one version of a file from the next; the same text while nothing was written. */
export function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function prefixOf(statePath: string): string {
  const name = basename(statePath);
  return name === 'state.json' ? '' : `${name}.`;
}
