import type { StackContext } from '../stack-context.ts';
import { counted } from '../../diagnostics/counted.ts';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { InvalidInput, Refused } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { kinds } from '../../kinds/index.ts';
import type { Account } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import { type Plan, revisedPlan } from '../../model/plan/plan.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { PlanInput } from '../../plan/input.ts';
import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import { planFromSnapshot } from '../../plan/parts/plan-from-snapshot.ts';
import { planWithEndpoints } from '../../plan/plan-with-endpoints.ts';
import type { Checkout } from '../git/git-head.ts';
import { readIssuedFiles } from './issued-files.ts';
import { mustNotGoBack, olderThanApplied } from './older-than-applied.ts';
import { lastRunWarnings } from './last-run-warnings.ts';
import type { DesiredScope } from './load-desired.ts';
import { UsageError, optionName, type Caller, unknownTarget } from '../usage-error.ts';
import { mustMatchWhole } from './must-match-whole.ts';
import { refreshStack, type RefreshFlags } from './refresh-stack.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { present } from '../../model/present.ts';

/** Options of a plan, in addition to the manifests. */
export interface PlanningFlags extends RefreshFlags, Pick<PlanInput, 'resendSecrets' | 'allow'> {
  readonly requireVerifiedSecrets?: boolean;
  /** Plan the deletion of everything where the manifests describe nothing. */
  readonly allowEmpty?: boolean;
  /** The manifests are meant to be those of an older commit. */
  readonly isRollback?: boolean;
  /** Refuse manifests of an older commit. */
  readonly reviewed?: boolean;
}

/** A plan, and what it was made from. */
export interface Planned {
  readonly plan: Plan;
  readonly input: PlanInput;
  /** The commit whose manifests these are; absent outside of git. */
  readonly checkout?: Checkout;
}

/** Refreshes the account and plans. Throws if no plan is possible; a plan that apply would refuse is returned. */
export async function makePlan(
  context: StackContext,
  workspace: PlanningWorkspace,
  wanted: DesiredScope,
  flags: PlanningFlags,
): Promise<Planned> {
  const account = await refreshStack(context, workspace, wanted, flags);
  const { desired, described, removedTargets } = wanted;
  for (const address of removedTargets)
    if (!account.ours.has(address) && workspace.state?.entries[address] === undefined)
      throw unknownTarget(context, address, 'in neither the manifests nor the account', [
        ...described,
        ...account.ours.keys(),
      ]);
  for (const pattern of wanted.patterns ?? []) if (account.ours.has(pattern)) throw notInState(context, pattern);
  if (flags.allowEmpty !== true && flags.destroying !== true) {
    const allowEmpty = optionName(context, '--allow-empty', 'allowEmpty');
    mustDescribeSomething(desired, account, {
      hint: `to delete them all, run \`sluice destroy\` or use ${allowEmpty}`,
    });
  }
  const input = planInput(context, workspace, wanted, account, flags);
  mustMatchWhole(context, wanted, input);
  const { plan: found } = await planWithEndpoints(input, workspace.source(desired).endpoints, yieldToLoop());
  if (hasErrors(found.diagnostics)) throw new InvalidInput(found.diagnostics);
  const plan = workspace.snapshot === undefined ? found : planFromSnapshot(found, workspace.snapshot);
  const { isRollback, destroying, reviewed } = flags;
  const { checkout } = wanted;
  if (reviewed === true) await mustNotGoBack(context, workspace, checkout?.commit);
  const isSettled = reviewed === true || isRollback === true || destroying === true;
  const older = isSettled ? undefined : await olderThanApplied(context, workspace, checkout?.commit);
  const diagnostics = [
    ...(older === undefined ? [] : [older]),
    ...(await lastRunWarnings(workspace, plan)),
    ...plan.diagnostics,
  ];
  await context.report(diagnostics);
  const gapMs = workspace.gapMs();
  return {
    plan: revisedPlan(plan, { diagnostics, ...(gapMs === undefined ? {} : { gapMs }) }),
    input,
    ...(checkout === undefined ? {} : { checkout }),
  };
}

/** The input of a plan, once the account is refreshed. */
export function planInput(
  { io }: StackContext,
  { state, stack, policy, digest, dir }: PlanningWorkspace,
  { desired, removedTargets }: Pick<DesiredScope, 'desired' | 'removedTargets'>,
  account: Account,
  flags: PlanningFlags = {},
): PlanInput {
  return {
    desired,
    account,
    state,
    stack,
    policy,
    kinds,
    digest,
    targets: removedTargets,
    now: (io.now ?? Date.now)(),
    files: readIssuedFiles(dir, desired),
    ...present({ resendSecrets: flags.resendSecrets, allow: flags.allow, destroying: flags.destroying }),
  };
}

/** Manifests that define no resource are probably a mistake or a failed sync, and not a request to delete everything (law 7). */
export function mustDescribeSomething(
  { resources, complete }: DesiredStack,
  { ours }: Account,
  { consequence = '', hint }: { readonly consequence?: string; readonly hint: string },
): void {
  if (resources.length > 0 || !complete || ours.size === 0) return;
  throw new Refused(
    'NO_RESOURCES_DEFINED',
    `the manifests contain no resources, but ${counted(ours.size, 'resource')} of this stack ${ours.size === 1 ? 'exists' : 'exist'}${consequence}`,
    { hint },
  );
}

/** The account is read after the targets: what only the account has cannot be told from a pattern in time. */
function notInState(caller: Caller, pattern: Address): UsageError {
  return new UsageError(
    `${optionName(caller, '--target', 'target')}: ${quoted(pattern)} is a pattern, and also the address of a resource that is not in the state`,
    'run `sluice state rebuild` first: once the resource is in the state, the target is taken as its address',
  );
}
