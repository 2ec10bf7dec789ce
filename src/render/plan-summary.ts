import { isEmptyPlan, type Plan } from '../model/plan.ts';
import { countActions } from './action-words.ts';

/** What a plan comes to, in one line: `3 to create, 2 to delete; 5 requests`. */
export function planSummary(plan: Plan): string {
  const matching = plan.changes.filter(({ action }) => action === 'none').length;
  if (isEmptyPlan(plan))
    return matching === 0
      ? `No changes. ${plan.whole ? 'Nothing is described, and nothing of this stack exists' : 'Nothing was selected'}.`
      : `No changes. ${matching} ${matching === 1 ? 'resource matches' : 'resources match'}.`;
  const blocked = plan.changes.filter((change) => change.blocked !== undefined).length;
  const actions = plan.changes.map(({ action }) => action).filter((action) => action !== 'none');
  return [
    countActions(actions, 'toDo'),
    `; ${plan.steps.length} ${plan.steps.length === 1 ? 'request' : 'requests'}`,
    plan.files.length === 0 ? '' : `; ${plan.files.length} ${plan.files.length === 1 ? 'file' : 'files'}`,
    matching === 0 ? '' : `; ${matching} unchanged`,
    blocked === 0 ? '' : `; ${blocked} blocked, so apply would refuse`,
    '.',
  ].join('');
}
