import { resolve } from 'node:path';
import { requireOwnIds } from '../../../stack/all/require-own-ids.ts';
import { stackManifests } from '../../../stack/outputs/upstream-stacks.ts';
import { orderStacks } from '../../../stack/all/order-stacks.ts';
import type { StacksResult } from '../../../render/stacks/stacks-result.ts';
import { stacksJson } from '../../../render/stacks/stacks-json.ts';
import { stacksText } from '../../../render/stacks/stacks-text.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import type { ApplyFlags } from '../apply-command.ts';
import type { PlanFlags } from '../plan-command.ts';
import type { ValidateFlags } from '../validate-command.ts';
import { exitCodeOfAll, exitCodes } from '../../exit-code.ts';
import { outputTarget, type CommentFlags } from '../../output/output-target.ts';
import { runStacks, type StacksRun } from './run-stacks.ts';
import { realDirectory, stackPath } from '../changed/stacks-since.ts';
import { requireCombinable, stacksOfRun, type AllFlags } from './stacks-of-run.ts';
import { hasWritten } from '../../../model/outcome.ts';

/** Checks the manifests of every stack without contacting the service. */
export async function validateAll(context: Context, flags: ValidateFlags & AllFlags): Promise<number> {
  if (context.format.result === undefined)
    throw new UsageError(
      'validate --all supports only the formats text, json and yaml',
      'run the command in each stack: sluice -C DIR validate',
    );
  const { validate } = await import('../validate-command.ts');
  return onAllStacks(context, flags, { name: 'validate', verb: 'Validating', command: (own) => validate(own, flags) });
}

/** Shows what `apply --all` would do. */
export async function planAll(context: Context, flags: PlanFlags & AllFlags): Promise<number> {
  const { plan } = await import('../plan-command.ts');
  return onAllStacks(context, flags, { name: 'plan', verb: 'Planning', command: (own) => plan(own, flags) });
}

/** Makes the changes required by the manifests of every stack. */
export async function applyAll(
  context: Context,
  saved: string | undefined,
  flags: ApplyFlags & AllFlags,
): Promise<number> {
  if (saved !== undefined)
    throw new UsageError(
      'a saved plan is for one stack and cannot be combined with --all',
      'to apply all stacks in a directory, use --all DIR',
    );
  const { apply } = await import('../apply-command.ts');
  return onAllStacks(context, flags, {
    name: 'apply',
    verb: 'Applying',
    question: 'Apply the changes of all these stacks?',
    command: (own) => apply(own, flags),
  });
}

/** Runs a command in every stack of `--all`, prints the results together, and returns the exit code of them all. */
async function onAllStacks(
  context: Context,
  flags: AllFlags & CommentFlags,
  { name, ...run }: Omit<StacksRun, 'stacks' | 'dependsOn'> & { readonly name: string },
): Promise<number> {
  requireCombinable(flags);
  const found = await stacksOfRun(context, flags);
  requireOwnIds(context, found);
  const upstream = await upstreamOf(context, found);
  const dependsOn = (stack: string): readonly string[] => upstream.get(stack) ?? [];
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

/** The stacks whose outputs each stack takes. */
async function upstreamOf({ io }: Context, stacks: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const cwd = realDirectory(io.cwd);
  const found = new Map<string, readonly string[]>();
  for (const stack of stacks) {
    const { upstream } = await stackManifests(resolve(cwd, stack));
    found.set(
      stack,
      upstream.map((dir) => stackPath(cwd, dir)),
    );
  }
  return found;
}
