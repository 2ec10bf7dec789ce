/*
 * What the model of plans says about a request. The model assumes one reading of what the description leaves open;
 * for another, under-reading.ts writes the account so that the usual reading of it means the same for this request.
 */
import { embeddedIn, fromWire } from '../../src/derive/wire/from-wire.ts';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { normalizedPath } from '../../src/emulator/gateway/find-route.ts';
import type { GatewayReading } from '../../src/emulator/gateway/gateway-options.ts';
import type { GatewayRequest } from '../../src/emulator/gateway/gateway-request.ts';
import { kinds } from '../../src/kinds/index.ts';
import { answeringFor } from '../../src/model/wildcards.ts';
import type { Actual } from '../../src/model/actual.ts';
import type { InstanceKey } from '../../src/plan/order/plan-node.ts';
import { accessOf, controlsAsked, isPublicAccess, isReachable, type Access } from '../../src/plan/exposure/access.ts';
import { currentRouting } from '../../src/plan/routing/current-routing.ts';
import { hostportsOf, type RoutingModel } from '../../src/plan/routing/routing-model.ts';
import { accessControlClasses } from '../../src/plan/routing/routing-modules.ts';
import { clientOf } from '../emulator/support/client.ts';
import { underReading } from './under-reading.ts';

/** The routing model of an account as the API shows it; every third route is nobody's. */
export async function modelOf(emulator: Emulator): Promise<RoutingModel> {
  const call = clientOf(emulator);
  const kind = kinds.named('HTTPSEdge');
  if (kind === undefined) throw new Error('no edges');
  const ids = emulator.snapshot().resources.filter((one) => one.kind === kind.name);
  const ours = new Map<string, Actual>();
  const foreign: Actual[] = [];
  for (const { id } of ids) {
    const { body } = await call('GET', `/edges/https/${id}`);
    ours.set(`HTTPSEdge/${id}`, fromWire(kind, body));
    for (const [index, route] of embeddedIn(kinds, kind, body).entries())
      if (index % 3 === 2) foreign.push(route);
      else ours.set(`HTTPSEdgeRoute/${route.id}`, route);
  }
  return currentRouting(new Map(), { ours, foreign, complete: new Set(), missing: [], diagnostics: [] }, kinds);
}

/** What the model reports of one request. */
export interface ModelAnswer {
  /** The id of the route that takes it, and of its edge. */
  readonly route: string | undefined;
  readonly edge: string | undefined;
  readonly isReachable: boolean;
  readonly isPublic: boolean;
  /** The controls that a request must satisfy, whatever its method. */
  readonly asked: ReadonlySet<string>;
  /** Whether requests of this method need not sign in. */
  readonly isExempt: boolean;
}

/** The answer of the model to a request, under a reading. */
export function modelAnswer(model: RoutingModel, request: GatewayRequest, reading: GatewayReading): ModelAnswer {
  const raw = request.path.replace(/\?.*$/, '');
  const place = request.hostport.toLowerCase();
  const written = underReading(model, request, reading);
  const answering = answeringFor(place);
  const answeredBy = edgeMeant(written, answering, reading);
  const asked = {
    place,
    answering,
    ...(answeredBy === undefined ? {} : { answeredBy }),
    host: request.host.toLowerCase(),
    ...(reading.hostPattern === 'literal' ? { unclearHosts: 'ignored' as const } : {}),
    path: reading.path === 'raw' ? raw : normalizedPath(raw),
  };
  return answerOf(accessOf(asked, written, [...written.keys()]), request.method);
}

/** What a verdict of the model says about a method. */
export function answerOf(access: Access, method: string): ModelAnswer {
  const way = method === 'OPTIONS' ? 'OPTIONS' : 'any';
  const bits = controlsAsked(access);
  const asked = accessControlClasses.filter((_, bit) => (bits & (1 << bit)) !== 0);
  return {
    route: access.matchedBy === undefined ? undefined : idOf(access.matchedBy),
    edge: access.route?.parent === undefined ? undefined : idOf(access.route.parent),
    isReachable: isReachable(access),
    isPublic: isPublicAccess(access, way),
    asked: new Set(asked),
    isExempt: isReachable(access) && isPublicAccess(signInAlone(access), way),
  };
}

/** Of the edges that have the hostport, the one that answers; edges are in the order in which they were made. */
function edgeMeant(
  model: RoutingModel,
  answering: readonly string[],
  { sameHostport }: GatewayReading,
): InstanceKey | undefined {
  const at = answering.map((place) => [...model].filter(([, node]) => hostportsOf(node).includes(place)));
  return at.find((edges) => edges.length > 0)?.at(sameHostport === 'oldest' ? 0 : -1)?.[0];
}

/** The id of an edge or route by its key in the model; the two that stand for one route have one id. */
function idOf(instance: InstanceKey): string {
  return instance.replace(/^\w+ (HTTPSEdge(Route)?\/)?/, '').replace(/'$/, '');
}

function signInAlone({ edge: _, route, ...access }: Access): Access {
  if (route === undefined) return access;
  const spec = Object.fromEntries(
    Object.entries(route.spec).filter(([name]) =>
      ['backend', 'traffic_policy', 'oauth', 'oidc', 'saml'].includes(name),
    ),
  );
  return { ...access, route: { ...route, spec } };
}
