/*
 * What becomes of a request: a pure function of the request and the account, with every step on the way.
 *
 *   edge    the hostport, the TLS version, the client certificate
 *   route   the match, then what it checks (routeChecks below); the first refusal ends it
 *   end     a traffic policy may answer; a tripped circuit refuses; else the backend answers
 *
 * Where TLS is terminated upstream, the edge cannot read the request: the first route that reaches something takes it.
 */
import { textOf, type SpecObject } from '../../kinds/value.ts';
import { textsOf } from '../forms/plain.ts';
import { findEdge, findRoute } from './find-route.ts';
import type { DoorEdge, DoorRoute, EnabledModules } from './front-door.ts';
import { passes, refuses, type ModuleCheck, type ModuleContext, type ModuleVerdict } from './module-verdict.ts';
import { addressCheck } from './modules/address-check.ts';
import { clientCertificateCheck } from './modules/client-certificate-check.ts';
import { signInCheck } from './modules/sign-in-check.ts';
import { signatureCheck } from './modules/signature-check.ts';
import { tlsVersionCheck } from './modules/tls-version-check.ts';
import { userAgentCheck } from './modules/user-agent-check.ts';

/** What one module did with a request. */
export interface GatewayStep extends ModuleVerdict {
  readonly module: string;
}

/** What becomes of a request, and what each module on its way did. */
export interface GatewayDecision {
  readonly end: 'backend' | 'policy' | 'refused' | 'sign-in' | 'unreachable';
  readonly status: number;
  readonly because: string;
  /** The hostport of the edge that answers. */
  readonly hostport?: string;
  readonly edge?: DoorEdge;
  readonly route?: DoorRoute;
  readonly backend?: string;
  readonly steps: readonly GatewayStep[];
}

/** The account and settings, with the time and the circuits that are open now. */
export interface GatewayMoment extends Omit<ModuleContext, 'request'> {
  readonly isTripped: (route: string) => boolean;
}

type Checks = readonly (readonly [module: string, check: ModuleCheck])[];

// In this order.
const edgeChecks: Checks = [
  ['tls_termination', tlsVersionCheck],
  ['mutual_tls', clientCertificateCheck],
];
const routeChecks: Checks = [
  ['ip_restriction', addressCheck],
  ['user_agent_filter', userAgentCheck],
  ['webhook_verification', signatureCheck],
  ['oauth', signInCheck('oauth')],
  ['saml', signInCheck('saml')],
  ['oidc', signInCheck('oidc')],
];

/** Decides about one request. */
export function decideRequest(request: ModuleContext['request'], moment: GatewayMoment): GatewayDecision {
  const context = { ...moment, request };
  const found = findEdge(request.hostport, moment.door, moment.settings);
  if (found === undefined) return unreachable(`no edge has the hostport ${request.hostport}`, {}, []);
  const { edge, hostport } = found;
  if (edge.passesThrough) return passThrough({ edge, hostport }, context);
  const before = checked(edgeChecks, edge.modules, context);
  const route = findRoute(request, edge, moment.settings);
  const at = { edge, hostport, ...(route === undefined ? {} : { route }) };
  if (hasEnded(before)) return ended(before, at);
  if (route === undefined) return unreachable('no route of the edge matches the request', at, before);
  const steps = [...before, ...checked(routeChecks, route.modules, context)];
  return hasEnded(steps) ? ended(steps, at) : reached({ ...at, route }, steps, moment);
}

type Place = Pick<GatewayDecision, 'edge' | 'hostport' | 'route'>;

function passThrough(at: Required<Omit<Place, 'route'>>, context: ModuleContext): GatewayDecision {
  const route = at.edge.routes.find(
    ({ modules }) => modules['backend'] !== undefined || modules['traffic_policy'] !== undefined,
  );
  const unread: GatewayStep = {
    module: 'tls_termination',
    ...passes('TLS is terminated at the upstream service: the edge cannot read requests'),
  };
  if (route === undefined) return unreachable('no route of the edge has a backend', at, [unread]);
  const isChecked = context.settings.upstream === 'network';
  const steps = [unread, ...(isChecked ? checked([['ip_restriction', addressCheck]], route.modules, context) : [])];
  return hasEnded(steps) ? ended(steps, { ...at, route }) : reached({ ...at, route }, steps, undefined);
}

/** What each module does that is enabled, up to the first that ends the request. */
function checked(checks: Checks, modules: EnabledModules, context: ModuleContext): readonly GatewayStep[] {
  const steps: GatewayStep[] = [];
  for (const [name, check] of checks) {
    const module = modules[name];
    if (module === undefined) continue;
    steps.push({ module: name, ...check(module, context) });
    if (hasEnded(steps)) break;
  }
  return steps;
}

function hasEnded(steps: readonly GatewayStep[]): boolean {
  const does = steps.at(-1)?.does;
  return does === 'refuses' || does === 'requires sign-in';
}

function ended(steps: readonly GatewayStep[], at: Place): GatewayDecision {
  const { module, does, because, status = 403 } = steps.at(-1) ?? { module: '', ...refuses('') };
  return does === 'requires sign-in'
    ? { end: 'sign-in', status: 401, because: `${module}: ${because}`, ...at, steps }
    : { end: 'refused', status, because: `${module}: ${because}`, ...at, steps };
}

function unreachable(because: string, at: Place, steps: readonly GatewayStep[]): GatewayDecision {
  return { end: 'unreachable', status: at.route === undefined ? 404 : 502, because, ...at, steps };
}

/** All checks are passed: without a moment, no other module acts. */
function reached(
  at: Place & { readonly route: DoorRoute },
  before: readonly GatewayStep[],
  moment: GatewayMoment | undefined,
): GatewayDecision {
  const { modules, id } = at.route;
  const { backend, traffic_policy: policy, circuit_breaker: breaker } = modules;
  const steps = [...before];
  if (policy !== undefined) {
    const does = policyDoes(moment?.settings.trafficPolicy ?? 'forward', backend !== undefined);
    steps.push({ module: 'traffic_policy', ...does });
    if (hasEnded(steps)) return ended(steps, at);
    if (does.does === 'answers') return { end: 'policy', status: 200, because: does.because, ...at, steps };
  }
  if (backend === undefined) return unreachable('the route has no enabled backend', at, steps);
  if (breaker !== undefined && moment !== undefined) {
    const isOpen = moment.isTripped(id);
    steps.push({
      module: 'circuit_breaker',
      ...(isOpen
        ? refuses('too many responses of the backend are errors: the circuit breaker is open', 503)
        : passes('the circuit breaker lets requests pass')),
    });
    if (isOpen) return ended(steps, at);
  }
  if (moment !== undefined) steps.push(...changes(modules));
  const name = textOf(backend['backend_id']);
  return { end: 'backend', status: 200, because: `${name} answers`, ...at, backend: name, steps };
}

function policyDoes(does: 'forward' | 'answer' | 'refuse', hasBackend: boolean): ModuleVerdict {
  if (does === 'refuse')
    return refuses('the traffic policy refuses the request, because the emulator runs with --traffic-policy refuse');
  return does === 'forward' && hasBackend
    ? passes('the traffic policy forwards the request')
    : { does: 'answers', because: 'the traffic policy responds itself, without the backend' };
}

/** What is changed on the way to the backend and back; values are not shown. */
function changes(modules: EnabledModules): GatewayStep[] {
  const descriptions: Readonly<Record<string, (module: SpecObject) => string>> = {
    request_headers: headersInWords,
    websocket_tcp_converter: () => 'websocket connections become TCP connections',
    response_headers: headersInWords,
    compression: () => 'responses are compressed if the client accepts gzip',
  };
  return Object.entries(descriptions).flatMap(([name, words]): GatewayStep[] => {
    const module = modules[name];
    return module === undefined ? [] : [{ module: name, does: 'changes', because: words(module) }];
  });
}

function headersInWords({ add, remove }: SpecObject): string {
  const added = Object.keys(typeof add === 'object' && add !== null ? add : {});
  const removed = textsOf(remove);
  const parts = [
    ...(removed.length > 0 ? [`removes headers: ${removed.join(', ')}`] : []),
    ...(added.length > 0 ? [`adds headers: ${added.join(', ')}`] : []),
  ];
  return parts.length === 0 ? 'changes no headers' : parts.join('; ');
}
