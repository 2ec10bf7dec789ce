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
import {
  applyStep,
  classAt,
  hostportsOf,
  isPublic,
  routingAfter,
  type RoutingModel,
} from '../routing/routing-model.ts';
import { classUrl } from './class-url.ts';

/** One hazard for each protected hostport that something else answers after a plan, or while it is carried out. */
export function unreadAnswers(now: RoutingModel, nodes: readonly PlanNode[], { account }: PlanInput): Hazard[] {
  const served = (account.served ?? []).filter(({ hostport }) => hostport.startsWith('*.'));
  if (served.length === 0) return [];
  const known = new Set(everyActual(account).map(({ id }) => id));
  const unread = served.filter(({ server }) => server === undefined || !known.has(server));
  const wildcards = new Map(unread.map((one) => [one.hostport, one]));
  const left = new Set([...routingAfter(now, nodes).values()].flatMap(hostportsOf));
  const dropped = droppedPlaces(now, nodes);
  const controlled = withControls(now);
  return [...controlled].flatMap((instance): Hazard[] =>
    hostportsOf(now.get(instance)).flatMap((place) => {
      const [own = place, ...wider] = answeringFor(place);
      const at = dropped.has(own) ? wider.find((one) => left.has(one) || wildcards.has(one)) : undefined;
      const answer = at === undefined ? undefined : wildcards.get(at);
      if (answer === undefined) return [];
      const url = classUrl(classAt(place, '/\0'));
      const by = answer.server === undefined ? 'an agent' : `the edge ${answer.server}`;
      const when = left.has(own) ? 'are temporarily handled during the apply' : 'are handled';
      const message = `requests to ${url} ${when} by ${by} at ${answer.hostport}, whose access control is not known`;
      return [{ code: 'OPENS_ACCESS', address: instanceName(instance), message, urls: [url] }];
    }),
  );
}

/** The hostports that some step takes from an edge, be it until a later step. */
function droppedPlaces(now: RoutingModel, nodes: readonly PlanNode[]): ReadonlySet<string> {
  const routing = new Map(now);
  const dropped = new Set<string>();
  for (const step of nodes) {
    const { instance } = step.effect;
    const places = hostportsOf(routing.get(instance));
    applyStep(routing, step);
    const kept = new Set(hostportsOf(routing.get(instance)));
    for (const place of places) if (!kept.has(place)) dropped.add(place);
  }
  return dropped;
}

/** The edges of this stack that have access control, or have a route with it. */
function withControls(now: RoutingModel): ReadonlySet<InstanceKey> {
  const found = new Set<InstanceKey>();
  for (const [instance, node] of now) {
    const edge = node.parent ?? instance;
    if (!isUnmanaged(edge) && !isPublic(moduleEffects(node).controls)) found.add(edge);
  }
  return found;
}
