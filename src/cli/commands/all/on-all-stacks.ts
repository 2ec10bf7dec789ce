import { requireOwnIds } from '../../../stack/all/require-own-ids.ts';
import { orderStacks } from '../../../stack/all/order-stacks.ts';
import type { StacksResult } from '../../../render/stacks/stacks-result.ts';
import { stacksJson } from '../../../render/stacks/stacks-json.ts';
import { stacksText } from '../../../render/stacks/stacks-text.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfAll, exitCodes, hasWritten } from '../../exit-code.ts';
import { outputTarget, type CommentFlags } from '../../output/output-target.ts';
import { requireCombinable } from './require-combinable.ts';
import { runStacks, type StacksRun } from './run-stacks.ts';
import { stacksOfRun, type AllFlags } from './stacks-of-run.ts';

/** Runs a command in every stack of `--all`, prints the results together, and returns the exit code of them all. */
export async function onAllStacks(
  context: Context,
  flags: AllFlags & CommentFlags,
  { name, ...run }: Omit<StacksRun, 'stacks' | 'dependsOn'> & { readonly name: string },
): Promise<number> {
  requireCombinable(flags);
  const found = await stacksOfRun(context, flags);
  requireOwnIds(context, found);
  const dependsOn = (): readonly string[] => [];
  const stacks = await runStacks(context, { ...run, stacks: orderStacks(found, dependsOn), dependsOn });
  const codes = stacks.flatMap(({ exitCode, failedDependency }) =>
    failedDependency === undefined ? [exitCode ?? exitCodes.interrupted] : [],
  );
  const exitCode = exitCodeOfAll(
    codes,
    stacks.some(({ applied }) => hasWritten(applied?.outcome?.changes ?? [])),
  );
  const result: StacksResult = { command: name, exitCode, stacks };
  context.result(
    () => (stacks.length === 0 ? '' : stacksText(stacks, context.palette, context.width)),
    () => stacksJson(result),
    (format) => format.stacks?.(result, outputTarget(context, flags)),
  );
  return exitCode;
}
