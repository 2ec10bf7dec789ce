import type { AccountStore } from '../account/account.ts';
import type { Answer } from '../answer.ts';
import type { EmulatorRequest } from '../http/exchange.ts';
import { serve, type ListenAddress, type ListeningServer } from '../http/server.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import { decideRequest, type GatewayDecision } from './decide-request.ts';
import { backendStatus, decisionAnswer } from './decision-answer.ts';
import { frontDoorOf, type FrontDoor } from './front-door.ts';
import { gatewaySettings, type GatewayOptions } from './gateway-options.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { incomingRequest } from './incoming-request.ts';
import { isGatewayPath, signInAnswer } from './sign-in-pages.ts';
import { VisitorSessions } from './visitor-sessions.ts';

/** The front door of an account: its edges and routes, with stand-in backends behind them. */
export interface Gateway {
  /** What becomes of a request now. */
  readonly decide: (request: GatewayRequest) => GatewayDecision;
  /** Answers an HTTP request that came to a port. */
  readonly handle: (request: EmulatorRequest, port: number) => Answer;
  /** Serves on a real socket; with TLS, clients may show a certificate. */
  readonly listen: (place?: ListenAddress) => Promise<ListeningServer>;
}

/** Opens the front door of an account, which may change meanwhile. */
export function openGateway(account: AccountStore, clock: () => Date, options: GatewayOptions = {}): Gateway {
  const settings = gatewaySettings(options);
  const sessions = new VisitorSessions(clock);
  const breakers = new CircuitBreakers();

  function decide(request: GatewayRequest): GatewayDecision {
    const now = clock();
    const door = doorOf(account);
    return decideRequest(request, { door, settings, now, isTripped: (route) => breakers.isTripped(route, now) });
  }

  function handle(exchange: EmulatorRequest, port: number): Answer {
    const incoming = incomingRequest(exchange, String(port));
    const { host, headers, signIns } = incoming;
    const cookies = headers['cookie'];
    const request = { ...incoming, signIns: [...signIns, ...sessions.signIns(host, cookies)] };
    if (isGatewayPath(request.path))
      return signInAnswer(request, { sessions, decide, isTls: exchange.tls !== undefined });
    const decision = decide(request);
    const breaker = decision.route?.modules['circuit_breaker'];
    if (decision.end === 'backend') {
      sessions.touch(host, cookies);
      if (breaker !== undefined && decision.route !== undefined)
        breakers.record(decision.route.id, breaker, clock(), backendStatus(request) >= 500);
    }
    return decisionAnswer(request, decision);
  }

  return {
    decide,
    handle,
    listen: async (place = {}) => {
      let port = 0;
      const { tls } = place;
      const asking = tls === undefined ? place : { ...place, tls: { ...tls, requestCert: true } };
      const server = await serve((request) => handle(request, port), asking);
      port = Number(new URL(server.url).port);
      return server;
    },
  };
}

function doorOf(account: AccountStore): FrontDoor {
  const edges = account.all('HTTPSEdge');
  const routes = edges.flatMap(({ id }) => account.all('HTTPSEdgeRoute', id));
  return frontDoorOf([...edges, ...routes, ...account.all('CertificateAuthority')]);
}
