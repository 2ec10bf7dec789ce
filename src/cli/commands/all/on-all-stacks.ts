import { resolve } from 'node:path';
import { shownName } from '../../../manifest/read/read-manifests.ts';
import { requireOwnIds } from '../../../stack/all/require-own-ids.ts';
import { stackManifests } from '../../../stack/outputs/upstream-stacks.ts';
import { orderStacks } from '../../../stack/all/order-stacks.ts';
import type { StacksResult } from '../../../render/stacks/stacks-result.ts';
import { stacksJson, stacksText } from '../../../render/stacks/stacks-text.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodeOfAll, exitCodes } from '../../exit-code.ts';
import { outputTarget, type CommentFlags } from '../../ci.ts';
import { runStacks, type StacksRun } from './run-stacks.ts';
import { realDirectory } from '../changed/stacks-since.ts';
import { requireCombinable, stacksOfRun, type AllFlags } from './stacks-of-run.ts';
import { hasWritten } from '../../../model/outcome.ts';

const runs = {
  validate: { verb: 'Validating' },
  plan: { verb: 'Planning' },
  apply: { verb: 'Applying', question: 'Apply the changes of all these stacks?' },
} as const;

/** Runs a command in every stack of `--all`, prints the results together, and returns the exit code of them all. */
export async function onAllStacks(
  context: Context,
  name: keyof typeof runs,
  flags: AllFlags & CommentFlags,
  command: StacksRun['command'],
): Promise<number> {
  if (name === 'validate' && context.format.result === undefined)
    throw new UsageError(
      'validate --all supports only the formats text, json and yaml',
      'run the command in each stack: sluice -C DIR validate',
    );
  requireCombinable(flags);
  const found = await stacksOfRun(context, flags);
  requireOwnIds(context, found);
  const upstream = await upstreamOf(context, found);
  const dependsOn = (stack: string): readonly string[] => upstream.get(stack) ?? [];
  const stacks = await runStacks(context, { ...runs[name], command, stacks: orderStacks(found, dependsOn), dependsOn });
  const codes = stacks.flatMap(({ exitCode, failedDependency }) =>
    failedDependency === undefined ? [exitCode ?? exitCodes.interrupted] : [],
  );
  const exitCode = exitCodeOfAll(
    codes,
    stacks.some(({ applied }) => hasWritten(applied?.outcome?.changes ?? [])),
  );
  const result: StacksResult = { command: name, exitCode, stacks };
  context.result(
    () => (stacks.length === 0 ? '' : stacksText(stacks, context.palette, context.layout.width)),
    () => stacksJson(result),
    (format) => format.stacks?.(result, outputTarget(context, flags)),
  );
  return exitCode;
}

/** The stacks whose outputs each stack takes. */
async function upstreamOf(
  context: Context,
  stacks: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const cwd = realDirectory(context.io.cwd);
  const found = new Map<string, readonly string[]>();
  for (const stack of stacks) {
    const { upstream } = await stackManifests(resolve(cwd, stack), context);
    found.set(
      stack,
      upstream.map((dir) => shownName(cwd, dir)),
    );
  }
  return found;
}
