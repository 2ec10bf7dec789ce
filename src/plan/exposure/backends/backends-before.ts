/*
 * What requests to a backend had to satisfy before a plan, whatever their URL: by every route that leads to it now; if none
 * does, as last applied; if none did then, as state remembers. Only access controls count: the filters of two URLs differ
 * for reasons of their own (decisions/0083).
 */
import type { SecretForm } from '../../../derive/canonical.ts';
import { isInEffect } from '../../../kinds/in-effect.ts';
import type { KindSet } from '../../../kinds/kind.ts';
import { oncePer } from '../../../kinds/once-per.ts';
import { addToGroup } from '../../../model/group-by.ts';
import type { State } from '../../../model/state.ts';
import type { InstanceKey } from '../../order/plan-node.ts';
import { backendIdOf, backendOf } from '../../routing/backend-of.ts';
import { receivingRoutes } from '../../routing/receiving-routes.ts';
import { countAccessControls, type RoutingModel, type RoutingNode } from '../../routing/routing-model.ts';
import { routingModules } from '../../routing/routing-modules.ts';
import { controlsAsked, type Access } from '../access.ts';
import { accessesOf } from '../last-access.ts';
import { rememberedDigest } from '../other-secret.ts';

/** A backend before a plan. */
export interface BackendBefore {
  /** What its URLs required, each set of access controls once, by its text; none if nothing is known to have led to it. */
  readonly accesses: ReadonlyMap<string, Access>;
  /** Those with the fewest access controls: as many as other accesses are compared with. */
  readonly least: readonly Access[];
  /** The routes that lead to it now. */
  readonly routes: readonly InstanceKey[];
  /** The key of its record in state. */
  readonly key: string;
  readonly isRemembered: boolean;
}

/** The backends before a plan, by id. Each is looked up on first use: most plans need none. */
export type BackendsBefore = (id: string) => BackendBefore;

/** Knows the backends of the routing as it is and as last applied, and of state. */
export function backendsBefore(
  now: RoutingModel,
  applied: RoutingModel,
  { state, kinds, digest }: { readonly state: State | undefined; readonly kinds: KindSet; readonly digest: SecretForm },
): BackendsBefore {
  const of = routesByBackend(now, digest);
  const ofApplied = applied === now ? () => [] : routesByBackend(applied, digest);
  return oncePer(new Map<string, BackendBefore>(), (id) => {
    const routes = of(id);
    // An id may come from outside, so state has its digest.
    const key = `backend ${digest(id)}`;
    const record = state?.lastAccess?.[key];
    const accesses = [
      () => distinct(routes, now),
      () => distinct(ofApplied(id), applied),
      () => byText(accessesOf(record ?? [], kinds)),
    ].reduce((all, next) => (all.size > 0 ? all : next()), new Map<string, Access>());
    return { accesses, least: leastOf(accesses), routes, key, isRemembered: record !== undefined };
  });
}

// A backend has few different sets of access controls. With more, comparing them all would take too long.
const mostCompared = 50;

function leastOf(accesses: ReadonlyMap<string, Access>): readonly Access[] {
  const all = [...accesses.values()];
  if (all.length < 2) return all;
  const counted = all.map((access) => ({ access, count: countAccessControls(controlsAsked(access)) }));
  return counted
    .sort((a, b) => a.count - b.count)
    .slice(0, mostCompared)
    .map(({ access }) => access);
}

/** The access controls of an access, and nothing else of its route and edge. */
export function controlsOnly(access: Access): Access {
  const { route, edge, ...rest } = access;
  return {
    ...rest,
    ...(route === undefined ? {} : { route: nodeControls(route) }),
    ...(edge === undefined ? {} : { edge: nodeControls(edge) }),
  };
}

/** Access controls as a text; equal texts require the same. */
export function controlsText({ route, edge }: Access): string {
  return edge?.passesThrough === true ? 'unread' : JSON.stringify([route?.spec ?? {}, edge?.spec ?? {}]);
}

const nodeControls = oncePer(new WeakMap<RoutingNode, RoutingNode>(), (node) => {
  const modules = routingModules(node.kind).asking.flatMap(({ name, field }) => {
    const module = node.spec[name];
    return field.accessControl !== undefined && isInEffect(field, module) ? [[name, module] as const] : [];
  });
  return { ...node, spec: Object.fromEntries(modules) };
});

function routesByBackend(routing: RoutingModel, digest: SecretForm): (id: string) => readonly InstanceKey[] {
  let known: ReturnType<typeof backendsIn> | undefined;
  const receives = receivingRoutes(routing);
  return (id) => {
    const { byId, byDigest } = (known ??= backendsIn(routing));
    // A digest takes long, and few ids come from outside.
    const remembered = byDigest.size === 0 ? [] : (byDigest.get(digest(id)) ?? []);
    return [...(byId.get(id) ?? []), ...remembered].filter(receives);
  };
}

/** The routes that lead to each backend, by its id, or by the digest of an id from outside. */
function backendsIn(routing: RoutingModel) {
  const [byId, byDigest] = [new Map<string, InstanceKey[]>(), new Map<string, InstanceKey[]>()];
  for (const [instance, node] of routing) {
    const [backend, remembered] = [backendOf(node), rememberedDigest(backendIdOf(node))];
    if (backend !== undefined) addToGroup(byId, backend.id, instance);
    else if (remembered !== undefined) addToGroup(byDigest, remembered, instance);
  }
  return { byId, byDigest };
}

function distinct(routes: readonly InstanceKey[], routing: RoutingModel): Map<string, Access> {
  return byText(
    routes.flatMap((matchedBy): Access[] => {
      const route = routing.get(matchedBy);
      const edge = route?.parent === undefined ? undefined : routing.get(route.parent);
      return route === undefined || edge === undefined ? [] : [{ reach: 'backend', matchedBy, route, edge }];
    }),
  );
}

function byText(accesses: readonly Access[]): Map<string, Access> {
  const found = new Map<string, Access>();
  for (const access of accesses.map(controlsOnly)) {
    const text = controlsText(access);
    if (!found.has(text)) found.set(text, access);
  }
  return found;
}
