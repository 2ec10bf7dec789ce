import { decideRequest, type GatewayDecision } from '../../src/emulator/gateway/decide-request.ts';
import { frontDoorOf, type DoorRoute, type FrontDoor } from '../../src/emulator/gateway/front-door.ts';
import type { GatewaySettings } from '../../src/emulator/gateway/gateway-options.ts';
import type { GatewayRequest } from '../../src/emulator/gateway/gateway-request.ts';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { accessOf } from '../../src/plan/exposure/access.ts';
import { routeGroupsOf } from '../../src/plan/routing/request-classes.ts';
import type { RequestClass, RoutingModel } from '../../src/plan/routing/routing-model.ts';
import { answerOf, modelAnswer, modelOf, type ModelAnswer } from './model-reading.ts';
import type { Proof } from './random-requests.ts';

/** A class of requests that the model knows, and what it reports of it. */
interface JudgedClass {
  readonly requestClass: RequestClass;
  readonly any: ModelAnswer;
  readonly options: ModelAnswer;
}

/** An account as the gateway and as the model see it. */
export interface BothSides {
  readonly door: FrontDoor;
  readonly model: RoutingModel;
  readonly classes: readonly JudgedClass[];
}

/** The gateway's and the model's view of an account. */
export async function bothSides(emulator: Emulator): Promise<BothSides> {
  const model = await modelOf(emulator);
  const groups = [...routeGroupsOf(model, [], { also: new Set(model.keys()) })];
  const classes = groups.flatMap(({ start, tracked }) =>
    tracked.map(({ requestClass, instances }) => {
      const access = accessOf(requestClass, start, instances);
      return { requestClass, any: answerOf(access, 'GET'), options: answerOf(access, 'OPTIONS') };
    }),
  );
  return { door: frontDoorOf(emulator.snapshot().resources), model, classes };
}

const filters = new Set(['user_agent_filter', 'traffic_policy', 'tls_termination']);
const controls: Readonly<Record<string, Proof>> = {
  mutual_tls: 'client-certificate',
  ip_restriction: 'network',
  webhook_verification: 'signature',
  oauth: 'authentication',
  saml: 'authentication',
  oidc: 'authentication',
};

/** What the gateway does with a request. */
export function decided(
  request: GatewayRequest,
  { door }: Pick<BothSides, 'door'>,
  settings: GatewaySettings,
): GatewayDecision {
  return decideRequest(request, { door, settings, now: new Date('2027-03-01T12:00:00Z'), isTripped: () => false });
}

/** A request, the settings and the routes that it may reach, in a few lines. */
export function described(
  request: GatewayRequest,
  { door }: Pick<BothSides, 'door'>,
  settings: GatewaySettings,
): string {
  const { body: _, ...reported } = request;
  const { permitted: __, ...reading } = settings;
  const routes = door.edges.map(({ hostports, passesThrough, modules, routes: own }) => {
    const lines = own.map(
      ({ id, match, matchType, modules: has }) => `\n    ${id} ${matchType} ${match} ${JSON.stringify(has)}`,
    );
    return `\n  ${hostports.join(', ')} ${passesThrough ? 'upstream ' : ''}${JSON.stringify(modules)}${lines.join('')}`;
  });
  return `${JSON.stringify(reported)} ${JSON.stringify(reading)}${routes.join('')}`;
}

/** How a comparison ended, for counting: a sort of agreement, or what is wrong. */
export interface Compared {
  readonly sort: string;
  readonly wrong?: string;
  readonly request: GatewayRequest;
}

/** Compares the two on a request that shows some right proofs. */
export function compared(
  request: GatewayRequest,
  right: ReadonlySet<Proof>,
  sides: BothSides,
  settings: GatewaySettings,
): Compared {
  return { ...comparison(request, right, sides, settings), request };
}

function comparison(
  request: GatewayRequest,
  right: ReadonlySet<Proof>,
  sides: BothSides,
  settings: GatewaySettings,
  isFirst = false,
): Omit<Compared, 'request'> {
  const decision = decided(request, sides, settings);
  const passes = isPassed(decision);
  const last = decision.steps.at(-1)?.module ?? '';
  const answer = modelAnswer(sides.model, request, settings);
  // Another edge with the hostport may answer instead: the model reports what that one does.
  if (leadsNowhere(decision) && answer.edge !== undefined && answer.edge !== decision.edge?.id)
    return passes ? { sort: '', wrong: 'passes without a route' } : { sort: 'nowhere by this edge' };
  if (decision.edge?.passesThrough === true) {
    if (passes && !answer.isPublic) return { sort: '', wrong: 'passes unread; not public in the model' };
    const isOpen = settings.upstream === 'unchecked';
    return !passes && answer.isPublic && isOpen
      ? { sort: '', wrong: 'does not pass unread; public in the model' }
      : { sort: passes ? 'passes unread' : 'unread, nowhere' };
  }
  const beside = besideIt(decision, answer.route, settings);
  if (beside !== undefined && !isFirst) {
    // Either may take the request. The model reports what the one does that lets more through.
    if (right.size === 0 && passes && !answer.isPublic)
      return { sort: '', wrong: 'passes by one of several equal matches; not public in the model' };
    const door = withRouteFirst(sides.door, beside);
    return comparison(request, right, { ...sides, door }, { ...settings, sameMatch: 'oldest' }, true);
  }
  const required = [...answer.asked].filter((one) => Object.values<string>(controls).includes(one)) as Proof[];
  const exempt = request.method === 'OPTIONS' && answer.isExempt ? ['authentication'] : [];
  const missing = required.filter((one) => !right.has(one) && !exempt.includes(one));
  const isExpected = answer.isReachable && missing.length === 0;
  if (decision.route?.id !== answer.route)
    return { sort: '', wrong: `route ${decision.route?.match ?? 'none'}; the model: ${answer.route ?? 'none'}` };
  if (right.size === 0 && answer.isPublic !== isExpected)
    return { sort: '', wrong: `the model says public: ${String(answer.isPublic)}, missing ${missing.join(', ')}` };
  if (passes) {
    if (!isExpected) return { sort: '', wrong: `passes; the model asks for ${missing.join(', ')}` };
    return { sort: required.length === 0 ? 'passes, public' : `passes with ${String(required.length)} proofs` };
  }
  if (filters.has(last) && decision.end === 'refused') return { sort: `filtered by ${last}` };
  if (settings.emptyLists === 'closed' && / lists no /.test(decision.because))
    return { sort: 'refused by an empty list' };
  if (isExpected) return { sort: '', wrong: `does not pass (${decision.because}); the model expects it to` };
  const refusedFor = controls[last];
  if (!answer.isReachable) return { sort: 'unreachable' };
  return refusedFor !== undefined && required.includes(refusedFor)
    ? { sort: `refused for ${refusedFor}` }
    : { sort: '', wrong: `${last} refuses; the model does not ask for it` };
}

/** Compares the two on some of the classes that the model knows, each by one request of somebody who shows nothing. */
export function comparedClasses(
  sides: BothSides,
  settings: GatewaySettings,
  anonymous: GatewayRequest,
  most: number,
): Compared[] {
  const every = Math.ceil(sides.classes.length / most);
  return sides.classes
    .filter((_, index) => index % every === 0)
    .flatMap(({ requestClass, any, options }) => {
      if (requestClass.path.includes('?')) return [];
      return [
        { answer: any, method: 'GET' },
        { answer: options, method: 'OPTIONS' },
      ].flatMap(({ answer, method }): Compared[] => {
        const { place, host, path } = requestClass;
        const request = {
          ...anonymous,
          method,
          hostport: place.replace(/^\*/, 'zz'),
          host: host.replaceAll('*', 'zz'),
          path: path.replace('\0', '~w'),
        };
        const found = compared(request, new Set(), sides, settings);
        const decision = decided(request, sides, settings);
        if (found.wrong === undefined && isPassed(decision) && !answer.isPublic && decision.route?.id === answer.route)
          return [{ sort: '', wrong: `the class ${place} ${host} ${path} is public`, request }];
        return [{ ...found, sort: `class: ${found.sort}` }];
      });
    });
}

/** Whether the edge that answers has nothing for a request, whoever sends it. */
function leadsNowhere({ route }: GatewayDecision): boolean {
  return route === undefined || !reaching.some((name) => name in route.modules);
}

const reaching = ['backend', 'traffic_policy'];

/** Whether a request reaches something. */
function isPassed({ end }: GatewayDecision): boolean {
  return end === 'backend' || end === 'policy';
}

/** The route that the model means, where the gateway took another whose match is equal. */
function besideIt(
  { edge, route }: GatewayDecision,
  id: string | undefined,
  settings: GatewaySettings,
): DoorRoute | undefined {
  const beside = edge?.routes.find((one) => one.id === id);
  if (route === undefined || beside === undefined || route === beside) return undefined;
  return inOneForm(route, settings) === inOneForm(beside, settings) ? beside : undefined;
}

function withRouteFirst(door: FrontDoor, first: DoorRoute): FrontDoor {
  const edges = door.edges.map((edge) =>
    edge.routes.includes(first) ? { ...edge, routes: [first, ...edge.routes.filter((one) => one !== first)] } : edge,
  );
  return { ...door, edges };
}

/** Without the port, which all hosts that take a request have in common, and with a path. */
function inOneForm({ match, matchType }: DoorRoute, { exactHost }: GatewaySettings): string {
  const [, host = '', path = ''] = /^([^/]*)(.*)$/s.exec(match) ?? [];
  const type = path === '' && exactHost === 'any-path' ? 'path_prefix' : matchType;
  return `${host.toLowerCase().replace(/:\d+$/, '')} ${path === '' ? '/' : path} ${type}`;
}
