/*
 * What becomes of one request: the edge and route that take it, what each of their modules requires, and the end.
 *
 *   unreachable   no edge, no route, or a route without a backend
 *   refused       unless its sender signs in, or shows a certificate or a signature
 *   depends       on something outside the API: IP policies, user agents, traffic policies, undocumented matches
 *   passes        anyone can send it
 */
import { isEnabled } from '../../kinds/checks.ts';
import { textInWords } from '../../kinds/admitted.ts';
import type { Group } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Requirement } from '../../model/exposure/access-rules.ts';
import { asks, controlInWords, isReachable, modulesInEffect, type Access } from '../exposure/access.ts';
import type { IdNaming } from '../exposure/id-naming.ts';
import type { ModuleInEffect } from '../routing/module-effects.ts';
import { routingModules } from '../routing/routing-modules.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { instanceName, type InstanceKey } from '../order/plan-node.ts';
import { type RoutingIndex, type HttpRequest, methodOf } from './routing-index.ts';
import { requirementsMet } from './satisfies.ts';

/** What can become of a request. */
export const traceAnswers = ['passes', 'refused', 'depends', 'unreachable'] as const;

/** One of them. */
export type TraceAnswer = (typeof traceAnswers)[number];

/** What a module does with the request. */
export interface TracedModule {
  readonly address: Address;
  readonly name: string;
  readonly effect: 'requires' | 'filters' | 'exempts' | 'inactive' | 'reaches';
  readonly text: string;
}

/** What becomes of one request, and why. */
export interface RequestTrace {
  readonly request: HttpRequest;
  readonly answer: TraceAnswer;
  /** What is required, what it depends on, or what is missing. */
  readonly reason: string;
  readonly edge?: { readonly address: Address; readonly hostport: string };
  readonly route?: { readonly address: Address; readonly match: string };
  readonly modules: readonly TracedModule[];
  readonly requires: readonly Requirement[];
}

/** Follows a request through a front door; ids are replaced by the names of their resources. */
export function traceRequest(request: HttpRequest, index: RoutingIndex, named: IdNaming): RequestTrace {
  const traced = tracedById(request, index);
  const modules = traced.modules.map((module) => ({ ...module, text: named(module.text) }));
  return { ...traced, reason: named(traced.reason), modules };
}

function tracedById(request: HttpRequest, index: RoutingIndex): RequestTrace {
  const access = index.accessFor(request);
  const { route, matchedBy } = access;
  if (route === undefined || matchedBy === undefined) return notRouted(request, index);
  const address = instanceName(matchedBy);
  const at: Pick<RequestTrace, 'request' | 'edge' | 'route' | 'modules'> = {
    request,
    ...edgeAt(request, access, index),
    route: { address, match: matchText(access) },
    modules: tracedModules(request, access),
  };
  const otherwise = index.accessFor(request, { unclearHosts: 'ignored' });
  if (!isReachable(access) && !isReachable(otherwise))
    return { ...at, answer: 'unreachable', reason: `${address} has no enabled backend`, requires: [] };
  const requires = requirementsMet(access, methodOf(request));
  // Whom one reading of a match refuses, the other may let pass.
  const isSafeOtherwise = !isReachable(otherwise) || needsProof(otherwise, request);
  if (isReachable(access) && needsProof(access, request) && isSafeOtherwise) {
    const asked = askedOf(access, request).map(controlInWords);
    return { ...at, answer: 'refused', reason: `requires ${asked.join(' and ')}`, requires };
  }
  const opaque = [
    ...opaqueParts(access),
    ...(otherwise.matchedBy === matchedBy ? [] : [`how the service interprets the \`match\` of ${address}`]),
    ...unclearEdge(request, index, matchedBy),
  ];
  if (opaque.length > 0)
    return { ...at, answer: 'depends', reason: `the result depends on ${opaque.join(' and ')}`, requires };
  const why = access.edge?.passesThrough === true ? ', because TLS is terminated at the upstream service' : '';
  return { ...at, answer: 'passes', reason: `anyone can send the request${why}`, requires };
}

function askedOf(access: Access, request: HttpRequest): readonly ModuleInEffect[] {
  return modulesInEffect(access).filter(({ field, module }) => asks(field, module, methodOf(request)));
}

/** Whether its sender must show something: an IP policy may permit any address. */
function needsProof(access: Access, request: HttpRequest): boolean {
  return askedOf(access, request).some(({ field }) => field.accessControl !== 'network');
}

function notRouted(request: HttpRequest, index: RoutingIndex): RequestTrace {
  const none = { request, answer: 'unreachable', modules: [], requires: [] } as const;
  const hostport = index.hostportFor(request);
  const [instance] = hostport === undefined ? [] : index.edgesAt(hostport);
  if (hostport === undefined || instance === undefined)
    return { ...none, reason: `no edge of this stack has the hostport ${request.hostport}` };
  const address = instanceName(instance);
  return { ...none, edge: { address, hostport }, reason: `no route of ${address} matches the request` };
}

function edgeAt(request: HttpRequest, { route }: Access, index: RoutingIndex): Pick<RequestTrace, 'edge'> {
  const hostport = index.hostportFor(request);
  if (hostport === undefined || route?.parent === undefined) return {};
  return { edge: { address: instanceName(route.parent), hostport } };
}

function matchText({ route }: Access): string {
  const selector = route === undefined ? undefined : routeSelector(route);
  if (selector === undefined) return '';
  return `${selector.host ?? ''}${selector.path}${selector.exact ? '' : '…'}`;
}

function tracedModules(request: HttpRequest, access: Access): TracedModule[] {
  const inEffect = new Set(modulesInEffect(access).map(({ module }) => module));
  return [access.edge, access.route].flatMap((node) => {
    const instance = node === access.route ? access.matchedBy : access.route?.parent;
    if (node === undefined || instance === undefined) return [];
    const modules = Object.entries(node.kind.fields).flatMap(([name, field]): TracedModule[] => {
      const module = node.spec[name];
      if (field.is !== 'group' || !routingModules(node.kind).decisive.has(name) || !isSpecObject(module)) return [];
      return [{ address: instanceName(instance), name, ...effectOf(field, module, inEffect.has(module), request) }];
    });
    return modules.sort((a, b) => Number(a.effect === 'reaches') - Number(b.effect === 'reaches'));
  });
}

function effectOf(
  field: Group,
  module: SpecObject,
  isInEffect: boolean,
  request: HttpRequest,
): Pick<TracedModule, 'effect' | 'text'> {
  if (!isEnabled(module)) return { effect: 'inactive', text: 'disabled' };
  if (field.upstream === true) return { effect: 'reaches', text: namesIn(module) };
  if (!isInEffect) return { effect: 'inactive', text: 'the module requires nothing' };
  if (field.accessControl === undefined) return { effect: 'filters', text: controlInWords({ field, module }) };
  return asks(field, module, methodOf(request))
    ? { effect: 'requires', text: controlInWords({ field, module }) }
    : { effect: 'exempts', text: `${request.method} requests` };
}

/** The texts of a module, such as the id of its backend. */
function namesIn(module: SpecObject): string {
  return Object.values(module)
    .map(textInWords)
    .filter((text) => text !== '')
    .join(' ');
}

/** What decides about the request and is not in the API, or not described. TLS versions refuse no current client. */
function opaqueParts(access: Access): string[] {
  return modulesInEffect(access).flatMap(({ name, field, module }) => {
    if (field.accessControl === 'network') return [`${policiesOf(field)} ${field.admitted?.(module) ?? ''}`.trim()];
    return field.filter === 'agent' || field.filter === 'policy' ? [name] : [];
  });
}

function policiesOf({ inEffectWith = '', fields }: Group): string {
  const list = fields[inEffectWith];
  return (list?.is === 'list' && list.of.is === 'leaf' ? list.of.ref?.to : undefined) ?? inEffectWith;
}

/** The edges that share the hostport, where another of them leads the request to another route. */
function unclearEdge(request: HttpRequest, index: RoutingIndex, matchedBy: InstanceKey): string[] {
  const edges = index.edgesAt(index.hostportFor(request) ?? '');
  const isOther = edges.some((answeredBy) => index.accessFor(request, { answeredBy }).matchedBy !== matchedBy);
  return isOther ? [`which of the edges ${edges.map(instanceName).join(' and ')} answers the request`] : [];
}
