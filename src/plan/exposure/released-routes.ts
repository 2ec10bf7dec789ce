/*
 * A route that a plan only removes from state (`on_remove: retain`) stays on its edge, as an unmanaged one. State records what
 * it matched, reached, and required then, so that later plans report what others change of it, and not that it is there
 * (decisions/0045).
 */
import type { SecretForm } from '../../derive/canonical.ts';
import { toState } from '../../derive/stored/to-state.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { LastAccessChange } from '../../model/plan/plan.ts';
import type { LastAccess } from '../../model/state.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { existingInstance, unmanagedInstance, type InstanceKey } from '../order/plan-node.ts';
import type { RoutingModel, RoutingNode } from '../routing/routing-model.ts';
import { routingModules } from '../routing/routing-modules.ts';
import { accessesOf, toLastAccess } from './last-access.ts';

// What follows is the instance: `released unmanaged edghtsrt_x`.
const released = 'released ';

/** What state records of the routes that a plan releases from edges that it keeps, and the records that are over: their routes are gone, or managed again. */
export function releasedRoutes(
  changing: readonly Decision[],
  { now, released: edges }: { readonly now: RoutingModel; readonly released: ReadonlySet<InstanceKey> },
  { state, digest }: PlanInput,
): LastAccessChange {
  const remember = changing.flatMap(({ action, pair: { address, kind, actual } }) => {
    const route = action === 'forget' ? now.get(existingInstance(address)) : undefined;
    if (actual === undefined || route?.parent === undefined || edges.has(route.parent)) return [];
    if (kind.traffic?.selects === undefined) return [];
    return [[`${released}${unmanagedInstance(actual.id)}`, recordOf(route, digest)] as const];
  });
  const forget = Object.keys(state?.lastAccess ?? {}).filter(
    (key) => key.startsWith(released) && !now.has(key.slice(released.length) as InstanceKey),
  );
  return { remember: Object.fromEntries(remember), forget };
}

/** What decides which requests a route took, and what they had to satisfy, when it was released; undefined if this stack has not released it. */
export function asReleased(instance: InstanceKey, { state, kinds }: PlanInput): SpecObject | undefined {
  const [record] = accessesOf(state?.lastAccess?.[`${released}${instance}`] ?? [], kinds);
  return record?.route?.spec;
}

function recordOf(route: RoutingNode, digest: SecretForm): LastAccess {
  const { kind, spec } = route;
  const steering = Object.fromEntries([...routingModules(kind).steering].map((name) => [name, spec[name] ?? null]));
  return toLastAccess([{ reach: 'backend', route }], digest).map((one) => ({
    route: { ...one.route, spec: { ...one.route.spec, ...toState(kind.fields, steering, digest) } },
  }));
}
