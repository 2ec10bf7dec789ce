import { pointerOf } from '../../src/derive/pointer.ts';
import { pathText } from '../../src/derive/wire/operations.ts';
import type { Change, Plan } from '../../src/model/plan/plan.ts';

/** What a plan does, without why, from where and in whose words. */
export interface PlanEssence {
  readonly changes: readonly unknown[];
  readonly requests: readonly string[];
}

/**
 * What two plans of the same wish must agree on, one made with the state file and one without: all but reasons, fields
 * that only memory can judge (held, and secrets that cannot be read), and what only state forgets or records (decisions/0009, decisions/0035).
 */
export function essencesOf(plan: Plan, other: Plan): readonly [PlanEssence, PlanEssence] {
  return [essence(plan, other), essence(other, plan)];
}

function essence(plan: Plan, other: Plan): PlanEssence {
  const byAddress = new Map(other.changes.map((change) => [change.address, change]));
  const changes = plan.changes.flatMap((change) => {
    const unsure = [change, byAddress.get(change.address)].flatMap((one) => (one === undefined ? [] : unsureIn(one)));
    const fields = change.fields
      .filter(({ path }) => !unsure.includes(pointerOf(path)))
      .map(({ path, before, after }) => [pointerOf(path), JSON.stringify(before), JSON.stringify(after)]);
    const { address, action, id } = change;
    if (action === 'none' || action === 'forget' || action === 'record') return [];
    return action === 'update' && fields.length === 0 && !change.markerOnly ? [] : [{ address, action, id, fields }];
  });
  const addresses = new Set(changes.map(({ address }) => address));
  const requests = plan.steps
    .filter(({ address }) => addresses.has(address))
    .map(({ request }) => `${request.method} ${pathText(request.path)}`);
  return { changes, requests };
}

function unsureIn({ unmanagedFields, unverified }: Change): string[] {
  return [...Object.keys(unmanagedFields), ...unverified];
}
