/*
 * What a request must show, and whom that lets pass (decisions/0045). Every hazard about access asks here.
 *
 *   reachable      a route with a backend, or with a traffic policy, takes the request
 *   asks for       the access controls of the route and its edge that are enabled and have what they need
 *   public         reachable, and nothing is asked for; OPTIONS requests may be exempt from authentication
 *   passed unread  nothing counts: no module can act on what the edge does not decrypt
 */
import type { AccessControl, Filter, Group } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../../kinds/value.ts';
import type { InstanceKey } from '../order/plan-node.ts';
import { moduleEffects, type AccessControls, type ModuleInEffect, type Reach } from '../routing/module-effects.ts';
import {
  isPublic,
  matchingNode,
  type RequestClass,
  type RoutingModel,
  type RoutingNode,
} from '../routing/routing-model.ts';
import { classOf } from '../routing/routing-modules.ts';

/** What becomes of the requests of a class: the route that takes them, and the edge it belongs to. */
export interface Access {
  readonly reach: Reach;
  readonly catcher?: InstanceKey;
  readonly route?: RoutingNode;
  readonly edge?: RoutingNode;
}

/** The methods that are told apart: access controls may exempt OPTIONS, for CORS. */
export type Method = 'any' | 'OPTIONS';

/** Who can reach what is public, in words. */
export const anyoneInWords = 'open to anyone';

/** The usual names of what may refuse a request. */
export const controlNames: Readonly<Record<AccessControl | Filter, string>> = {
  authentication: 'authentication',
  network: 'IP restriction',
  'client-certificate': 'mutual TLS',
  signature: 'signature verification',
  agent: 'user agent filter',
  tls: 'TLS termination settings',
  policy: 'traffic policy',
};

/** What becomes of a class, given the instances that can matter to it. */
export function accessOf(requestClass: RequestClass, routing: RoutingModel, instances: Iterable<InstanceKey>): Access {
  const catcher = matchingNode(requestClass, routing, instances);
  const route = catcher === undefined ? undefined : routing.get(catcher);
  if (catcher === undefined || route === undefined) return { reach: 'nothing' };
  const edge = route.parent === undefined ? undefined : routing.get(route.parent);
  const reach = moduleEffects(route).reach;
  return edge === undefined ? { reach, catcher, route } : { reach, catcher, route, edge };
}

/** Whether requests reach something. */
export function isReachable({ reach }: Access): boolean {
  return reach !== 'nothing';
}

/** Whether requests of a method reach something, and anybody may send them. */
export function isPublicAccess(access: Access, method: Method): boolean {
  if (!isReachable(access)) return false;
  const { route, edge } = access;
  return edge?.passesThrough === true || !(asksAnything(edge, method) || asksAnything(route, method));
}

/** The classes of control and filter that requests must satisfy. */
export function controlsAsked({ route, edge }: Access): AccessControls {
  if (route === undefined || edge?.passesThrough === true) return 0;
  return moduleEffects(route).controls | (edge === undefined ? 0 : moduleEffects(edge).controls);
}

/** What is asked of whom, in words: `authentication (anyone with a Google account)`; empty where anybody may pass. */
export function askedInWords(access: Access, isMeant: (name: string) => boolean = () => true): string {
  return modulesInEffect(access)
    .filter(({ field }) => field.accessControl !== undefined && isMeant(controlNames[field.accessControl]))
    .map(controlInWords)
    .join(' and ');
}

// What requests require is said before and after, and in between.
const said = new WeakMap<Controlling, string>();

type Controlling = Pick<ModuleInEffect, 'field' | 'module'>;

/** What one module asks of whom, in words. */
export function controlInWords(one: Controlling): string {
  const words = said.get(one) ?? wordsOf(one);
  said.set(one, words);
  return words;
}

function wordsOf({ field, module }: Controlling): string {
  const whom = field.admitted?.(module) ?? '';
  const except =
    field.optionsExemption !== undefined && module[field.optionsExemption] === true ? ', not for OPTIONS' : '';
  const beside = `${whom}${except}`.replace(/^, /, '');
  const asked = classOf(field);
  const name = asked === undefined ? '' : controlNames[asked];
  return beside === '' ? name : `${name} (${beside})`;
}

/** Everything that is in effect for the requests, of the edge first. */
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

/** Whether a module asks a request of that method for something; filters ask nobody for anything. */
export function asks({ accessControl, optionsExemption }: Group, module: SpecObject, method: Method): boolean {
  if (accessControl === undefined) return false;
  const isExempt = method === 'OPTIONS' && optionsExemption !== undefined && module[optionsExemption] === true;
  return !isExempt && isSpecObject(module);
}
