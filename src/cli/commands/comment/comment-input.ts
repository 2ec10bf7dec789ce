import { resolve } from 'node:path';
import type { SluiceError } from '../../../diagnostics/errors.ts';
import { readSafely } from '../../../files/safe-file.ts';
import { findStackFile, readStackFile } from '../../../manifest/stack-file/stack-file.ts';
import type { PlanResult } from '../../../render/formats/format.ts';
import { errorInJson } from '../../../render/diagnostics/failure-json-schema.ts';
import type { CommentedStack } from '../../../render/text/comment-lines.ts';
import { readPlanFile } from '../../../stack/plan/plan-file.ts';
import { baseUrlIn } from '../../../stack/settings/stack-config.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { parsedJson } from '../../../model/json-object.ts';

/** What a comment is about: a plan, or the error that ended the command that should have made one. */
export type CommentInput = { readonly stack: Required<CommentedStack> } & (
  | { readonly plan: PlanResult }
  | { readonly error: SluiceError }
);

const largest = 64 * 1024 * 1024;

/** Reads a plan file, or what `plan --format json` printed when it failed. Anyone may have written either: all of it is checked. */
export function readCommentInput(context: Context, name: string): CommentInput {
  const error = failureIn(resolve(context.io.cwd, name));
  if (error !== undefined) return { stack: stackOf(context), error };
  const { plan, digest, savedAt, verified, parts, bound } = readPlanFile(context, name);
  return { stack: { ...plan.stack, baseUrl: bound.baseUrl }, plan: { plan, digest, time: savedAt, verified, parts } };
}

function failureIn(path: string): SluiceError | undefined {
  const read = readSafely(path, largest);
  return 'text' in read ? errorInJson(parsedJson(read.text)) : undefined;
}

/** Whose comment it is: an error names no stack, so the stack file does. */
function stackOf({ io, dir }: Context): Required<CommentedStack> {
  const from = resolve(io.cwd, dir ?? '.');
  const path = findStackFile(from);
  const settings = path === undefined ? undefined : readStackFile(path).file?.settings;
  if (settings !== undefined) return { ...settings.stack, baseUrl: baseUrlIn(settings, io) };
  throw new UsageError(
    `the stack of the failed plan is unknown: there is no usable sluice.yaml in ${from} or above it`,
    'select the stack with -C DIR',
  );
}
