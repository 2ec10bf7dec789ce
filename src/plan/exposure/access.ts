/*
 * What a request must satisfy, and who can satisfy it (decisions/0045). Every hazard about access is based on these
 * definitions.
 *
 *   reachable       a route with a backend, or with a traffic policy, matches the request
 *   requires        the access controls of the route and its edge that are enabled and have all required settings
 *   public          reachable, and nothing is required; OPTIONS requests may be exempt from authentication
 *   passes through  nothing is required: no module can act on requests that the edge does not decrypt
 */
import type { AccessControl, Filter, Group } from '../../kinds/kind.ts';
import { oncePer } from '../../kinds/once-per.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { isUnmanaged, type InstanceKey } from '../order/plan-node.ts';
import {
  exemptsOptions,
  moduleEffects,
  type AccessControls,
  type ModuleInEffect,
  type Reach,
} from '../routing/module-effects.ts';
import {
  isPublic,
  matchingNode,
  type RequestClass,
  type RoutingModel,
  type RoutingNode,
  UNREACHABLE,
} from '../routing/routing-model.ts';
import { classOf } from '../routing/routing-modules.ts';

/** Where the requests of a class go: the route that matches them, and its edge. */
export interface Access {
  readonly reach: Reach;
  readonly matchedBy?: InstanceKey;
  readonly route?: RoutingNode;
  readonly edge?: RoutingNode;
}

/** The methods that are distinguished: access controls may exempt OPTIONS, for CORS. */
export type Method = 'any' | 'OPTIONS';

/** Who can reach what is public, in words. */
export const anyoneInWords = 'open to anyone';

/** The names of access controls and filters in texts. */
export const controlNames: Readonly<Record<AccessControl | Filter, string>> = {
  authentication: 'authentication',
  network: 'IP restriction',
  'client-certificate': 'mutual TLS',
  signature: 'signature verification',
  agent: 'user agent filter',
  tls: 'TLS termination settings',
  policy: 'traffic policy',
};

/** Where the requests of a class go, given the instances that can matter to it. */
export function accessOf(requestClass: RequestClass, routing: RoutingModel, instances: Iterable<InstanceKey>): Access {
  const matchedBy = matchingNode(requestClass, routing, instances);
  const route = matchedBy === undefined ? undefined : routing.get(matchedBy);
  if (matchedBy === undefined || route === undefined) return { reach: 'nothing' };
  const edge = route.parent === undefined ? undefined : routing.get(route.parent);
  const reach = moduleEffects(route).reach;
  return edge === undefined ? { reach, matchedBy, route } : { reach, matchedBy, route, edge };
}

/** Whether requests reach something. */
export function isReachable({ reach }: Access): boolean {
  return reach !== 'nothing';
}

/** Whether an unmanaged edge leads the requests to an unmanaged route. */
export function isOfOthers({ matchedBy, route }: Access): boolean {
  if (matchedBy === undefined || route?.parent === undefined) return false;
  return isUnmanaged(matchedBy) && isUnmanaged(route.parent);
}

/** Whether requests of a method are reachable, and anyone may send them. */
export function isPublicAccess(access: Access, method: Method): boolean {
  if (!isReachable(access)) return false;
  const { route, edge } = access;
  return edge?.passesThrough === true || !(asksAnything(edge, method) || asksAnything(route, method));
}

/** The classes of control and filter that requests must satisfy. */
export function controlsAsked({ reach, route, edge }: Access): AccessControls {
  if (reach === 'nothing') return UNREACHABLE;
  if (route === undefined || edge?.passesThrough === true) return 0;
  return moduleEffects(route).controls | (edge === undefined ? 0 : moduleEffects(edge).controls);
}

/** The required access controls in words: `authentication (anyone with a Google account)`; empty if anyone has access. */
export function askedInWords(access: Access, isMeant: (name: string) => boolean = () => true): string {
  return modulesInEffect(access)
    .filter(({ field }) => field.accessControl !== undefined && isMeant(controlNames[field.accessControl]))
    .map(controlInWords)
    .join(' and ');
}

/** What one module requires, in words. The same module is described before and after a plan, and in between. */
export const controlInWords = oncePer(new WeakMap<Pick<ModuleInEffect, 'field' | 'module'>, string>(), wordsOf);

function wordsOf({ field, module }: Pick<ModuleInEffect, 'field' | 'module'>): string {
  const whom = field.admitted?.(module) ?? '';
  const except = exemptsOptions(field, module) ? ', except OPTIONS requests' : '';
  const beside = `${whom}${except}`.replace(/^, /, '');
  const asked = classOf(field);
  const name = asked === undefined ? '' : controlNames[asked];
  return beside === '' ? name : `${name} (${beside})`;
}

/** The modules in effect for the requests, those of the edge first. */
export function modulesInEffect({ route, edge }: Access): readonly ModuleInEffect[] {
  if (edge?.passesThrough === true) return [];
  const ofRoute = route === undefined ? [] : moduleEffects(route).refusing;
  const ofEdge = edge === undefined ? [] : moduleEffects(edge).refusing;
  return ofEdge.length === 0 ? ofRoute : [...ofEdge, ...ofRoute];
}

function asksAnything(node: RoutingNode | undefined, method: Method): boolean {
  if (node === undefined) return false;
  return method === 'OPTIONS' ? moduleEffects(node).asksOptions : !isPublic(moduleEffects(node).controls);
}

/** Whether a module applies to requests of that method; a filter never counts. */
export function asks(field: Group, module: SpecObject, method: Method): boolean {
  return field.accessControl !== undefined && !(method === 'OPTIONS' && exemptsOptions(field, module));
}
