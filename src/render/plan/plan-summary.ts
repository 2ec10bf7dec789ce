import { counted } from '../../diagnostics/counted.ts';
import { isEmptyPlan, type Plan } from '../../model/plan/plan.ts';
import { unverifiedSecrets } from '../../plan/warnings/unverified-secrets.ts';
import { countActions } from './action-words.ts';
import { hasDrifted } from '../../model/plan/has-drifted.ts';
import { requestsEstimate } from './estimate.ts';
import { unresolvedCount } from './unresolved/unresolved-text.ts';

/** The summary of a plan, in one line: `3 to create, 2 to delete; 5 API requests`. */
export function planSummary(plan: Plan): string {
  const unresolved = unresolvedCount(plan.unresolved.length);
  const hidden = unverifiedSecrets(plan).length;
  const what =
    plan.snapshot === undefined
      ? counted(hidden, 'secret')
      : counted(
          hidden,
          'secret or value from the environment or a file',
          'secrets and values from the environment or files',
        );
  const unverified = hidden === 0 ? '' : ` ${what} not verified.`;
  return `${unresolved === '' ? '' : `${unresolved}. `}${changesSummary(plan, hidden)}${unverified}`;
}

function changesSummary(plan: Plan, unverified: number): string {
  const matching = plan.changes.filter(({ action }) => action === 'none').length;
  // If a snapshot lacks values, it is unknown whether something changes.
  if (isEmptyPlan(plan) && plan.snapshot !== undefined && unverified > 0)
    return `No changes compared with the snapshot: ${counted(matching, 'resource')} in sync.`;
  if (isEmptyPlan(plan))
    return `No changes. ${matching === 0 ? whyNothing(plan) : `${counted(matching, 'resource')} in sync`}.`;
  const blocked = plan.changes.filter((change) => change.blocked !== undefined).length;
  const drifted = plan.changes.filter(hasDrifted).length;
  const actions = plan.changes.map(({ action }) => action).filter((action) => action !== 'none');
  return [
    countActions(actions, 'toDo'),
    `; ${requestsEstimate(plan.steps.length, plan.gapMs)}`,
    plan.files.length === 0 ? '' : `; ${counted(plan.files.length, 'file')}`,
    drifted === 0 ? '' : `; ${drifted} drifted`,
    matching === 0 ? '' : `; ${matching} unchanged`,
    blocked === 0 ? '' : `; ${blocked} blocked, so the plan cannot be applied`,
    '.',
  ].join('');
}

/** Why a plan names no resource at all. */
function whyNothing({ complete, destroying }: Plan): string {
  if (!complete) return 'No resource is selected';
  return destroying === true ? 'The stack has no resources' : 'The manifests are empty, and the stack has no resources';
}
