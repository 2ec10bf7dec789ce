import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { StateError } from '../diagnostics/errors.ts';
import { systemReason } from '../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../files/make-kept-directory.ts';
import { replaceFile } from '../files/replace-file.ts';
import { readSafely } from '../files/safe-file.ts';

/** The last possible date: a pause until then has no end. */
export const indefinitely = 8.64e15;

/** The form of the digest of pending changes. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/;

const requests = z.strictObject({
  format: z.literal(1),
  pause: z
    .strictObject({
      until: z.number().max(indefinitely),
      reason: z.string().max(200).optional(),
      by: z.string().max(80),
    })
    .optional(),
  approvals: z
    .array(z.strictObject({ digest: z.string().regex(digestPattern), by: z.string().max(80), at: z.number() }))
    .max(100),
});

/** Requests of operators to the watch of a stack: a pause until a time, and approvals of pending changes. Times are milliseconds since 1970. */
export type OperatorRequests = z.infer<typeof requests>;

/** No pause and no approvals. */
export const noOperatorRequests: OperatorRequests = { format: 1, approvals: [] };

/** The file of operator requests: next to the state, so that replicas share it. */
export function operatorRequestsPath(statePath: string): string {
  return join(dirname(statePath), `${prefixOf(statePath)}watch-requests.json`);
}

/** The file of the watch state, next to the state. */
export function watchStatePath(statePath: string): string {
  return join(dirname(statePath), `${prefixOf(statePath)}watch-state.json`);
}

/** Reads the operator requests; none where there is no file. A file that exists and cannot be read may contain a pause, so it is an error. */
export function readOperatorRequests(path: string): OperatorRequests {
  const read = readSafely(path);
  if ('text' in read) {
    try {
      return requests.parse(JSON.parse(read.text));
    } catch {
      throw unreadable(path, 'does not contain valid pauses and approvals');
    }
  }
  if (read.code === 'FILE_NOT_FOUND') return noOperatorRequests;
  throw unreadable(path, read.message);
}

function unreadable(path: string, why: string): StateError {
  return new StateError('OPERATOR_REQUESTS_UNREADABLE', `${path} ${why}; it may contain a pause`, {
    hint: 'make it readable for the user that runs `sluice watch`, or replace it with `sluice pause` or `sluice resume`',
  });
}

/** Writes the operator requests. Approvals older than a week are dropped. */
export async function writeOperatorRequests(
  path: string,
  { pause, approvals }: OperatorRequests,
  now: number,
): Promise<void> {
  const recent = approvals.filter(({ at }) => now - at < 7 * 86_400_000).slice(-100);
  await makeKeptDirectory(dirname(path));
  await replaceFile(
    path,
    `${JSON.stringify({ format: 1, ...(pause === undefined ? {} : { pause }), approvals: recent })}\n`,
    { isKept: true },
  );
}

/** Identifies one version of a file, and who may read it; the same text while neither changes. */
export function operatorRequestsVersion(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch (error) {
    return systemReason(error);
  }
}

function prefixOf(statePath: string): string {
  const name = basename(statePath);
  return name === 'state.json' ? '' : `${name}.`;
}
