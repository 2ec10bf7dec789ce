/*
 * Requests to a hostport that a plan releases may be answered by something that sluice does not read, as the service shows it:
 * an agent, an edge of another family, or under `documented` an edge outside the stack. What that requires is not known.
 */
import { everyActual } from '../../model/actual.ts';
import type { Hazard } from '../../model/plan/plan.ts';
import { answeringFor } from '../../model/wildcards.ts';
import type { PlanInput } from '../input.ts';
import { instanceName, isUnmanaged, type InstanceKey, type PlanNode } from '../order/plan-node.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import { classAt, hostportsOf, isPublic, routingAfter, type RoutingModel } from '../routing/routing-model.ts';
import { classUrl } from './class-url.ts';

/** One hazard for each edge whose protected hostports something else answers after a plan. */
export function unreadAnswers(
  now: RoutingModel,
  nodes: readonly PlanNode[],
  { account }: Pick<PlanInput, 'account'>,
): Hazard[] {
  const known = new Set(everyActual(account).map(({ id }) => id));
  const unread = (account.served ?? []).filter(({ server }) => server === undefined || !known.has(server));
  if (!unread.some(({ hostport }) => hostport.startsWith('*.'))) return [];
  const left = new Set([...routingAfter(now, nodes).values()].flatMap(hostportsOf));
  return [...now].flatMap(([instance, node]): Hazard[] =>
    (isUnmanaged(instance) ? [] : hostportsOf(node)).flatMap((place) => {
      const at = answeringFor(place).find((one) => left.has(one) || unread.some(({ hostport }) => hostport === one));
      const answer = at === undefined || left.has(at) ? undefined : unread.find(({ hostport }) => hostport === at);
      if (answer === undefined || !hasControls(now, instance)) return [];
      const url = classUrl(classAt(place, '/\0'));
      const by = answer.server === undefined ? 'an agent' : `the edge ${answer.server}`;
      const message = `requests to ${url} are handled by ${by} at ${answer.hostport}, whose access control is not known`;
      return [{ code: 'OPENS_ACCESS', address: instanceName(instance), message, urls: [url] }];
    }),
  );
}

/** Whether an edge, or a route of it, has access control. */
function hasControls(now: RoutingModel, edge: InstanceKey): boolean {
  return [...now].some(
    ([instance, node]) => (instance === edge || node.parent === edge) && !isPublic(moduleEffects(node).controls),
  );
}
