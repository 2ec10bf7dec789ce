import { hasErrors } from '../diagnostics/diagnostic.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import { isEmptyPlan } from '../model/plan/plan.ts';
import type { DesiredStack } from '../model/resource.ts';
import { plannedRouting } from '../plan/access-policy/planned-routing.ts';
import { planWithEndpoints } from '../plan/plan-with-endpoints.ts';
import type { AccountSource } from '../refresh/account-source.ts';
import type { ListTerms } from '../refresh/shared-lists.ts';
import { planInput } from '../stack/plan/make-plan.ts';
import { refreshStack } from '../stack/plan/refresh-stack.ts';
import type { StackContext } from '../stack/stack-context.ts';
import type { Workspace } from '../stack/workspace.ts';
import { loopTurn } from './timing/loop-turn.ts';
import type { RefreshedStack } from './ports.ts';

type PlannedStack = Pick<RefreshedStack, 'input' | 'plan' | 'routing' | 'isRecorded'>;

/** What the manifests want, and the commit that they are of. */
interface Wanted {
  readonly desired: DesiredStack;
  readonly commit: string | undefined;
}

/** Refreshes the account and plans. Lists that other stacks have read can only show that nothing is to be done: in every other case, the account is listed again before the plan counts. */
export async function planWatched(
  context: StackContext,
  workspace: Workspace,
  wanted: Wanted,
  terms: ListTerms,
): Promise<PlannedStack> {
  const { lists } = workspace;
  const own = (): AccountSource => workspace.source(wanted.desired);
  if (lists === undefined) return planFrom(context, workspace, wanted, own());
  const source = lists.source(own(), terms);
  try {
    const planned = await planFrom(context, workspace, wanted, source);
    if (!source.hasReused() || isAtRest(planned)) return planned;
  } catch (error) {
    if (!source.hasReused()) throw error;
  }
  return planFrom(context, workspace, wanted, lists.source(own(), { ...terms, mayReuse: false }));
}

async function planFrom(
  context: StackContext,
  workspace: Workspace,
  { desired, commit }: Wanted,
  source: AccountSource,
): Promise<PlannedStack> {
  const wanted = { desired, described: desired.resources.map(({ address }) => address), removedTargets: [] };
  const account = await refreshStack(context, { ...workspace, source: () => source }, wanted, {});
  const input = planInput(context, workspace, wanted, account);
  await loopTurn();
  const { plan, decided } = await planWithEndpoints(input, source.endpoints, yieldToLoop());
  const { served } = decided.input.account;
  return {
    input: served === undefined ? input : { ...input, account: { ...account, served } },
    plan,
    routing: plannedRouting(decided),
    isRecorded: [undefined, workspace.state?.applied?.commit].includes(commit),
  };
}

/** Whether neither the account nor what is recorded of it would be changed. */
function isAtRest({ plan, isRecorded }: PlannedStack): boolean {
  const { diagnostics, unresolved, resolvedCreations } = plan;
  return (
    isEmptyPlan(plan) && isRecorded && unresolved.length + resolvedCreations.length === 0 && !hasErrors(diagnostics)
  );
}
