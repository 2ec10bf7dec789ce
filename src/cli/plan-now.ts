import { hasErrors } from '../diagnostics/diagnostic.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import { kinds } from '../kinds/index.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanInput } from '../plan/input.ts';
import { planStack } from '../plan/plan.ts';
import { activeUrls } from './active-urls.ts';
import type { Context } from './context.ts';
import type { Wanted } from './load-desired.ts';
import type { LookFlags, Workspace } from './workspace.ts';

/** What a plan may be told beside the manifests. */
export interface PlanningFlags extends LookFlags {
  readonly resendSecrets?: boolean;
  /** Hazards to go on in spite of. */
  readonly allow?: readonly string[];
}

/** Looks at the account and plans. Throws when there can be no plan; a plan that apply would refuse is still a plan. */
export async function planNow(
  context: Context,
  workspace: Workspace,
  { desired, gone }: Wanted,
  flags: PlanningFlags & { readonly destroying?: boolean },
): Promise<Plan> {
  const account = await workspace.look(desired, flags);
  const input: PlanInput = {
    desired,
    account,
    state: workspace.state,
    stack: workspace.stack,
    policy: workspace.policy,
    kinds,
    digest: workspace.digest,
    targets: gone,
    ...(flags.resendSecrets === undefined ? {} : { resendSecrets: flags.resendSecrets }),
    ...(flags.allow === undefined ? {} : { allow: flags.allow }),
    ...(flags.destroying === undefined ? {} : { destroying: flags.destroying }),
  };
  let plan = planStack(input);
  if (plan.hazards.some(({ code }) => code === 'INTERRUPTS_TRAFFIC'))
    plan = planStack({ ...input, account: { ...account, urls: await activeUrls(workspace.reader) } });
  if (hasErrors(plan.diagnostics)) throw new InvalidInput(plan.diagnostics);
  await context.report(plan.diagnostics);
  return plan;
}
