import { answeringFor } from '../../model/wildcards.ts';
import type { Movement } from '../order/plan-node.ts';
import { hostportsOf, routingAfter, type RequestClass, type RoutingModel } from './routing-model.ts';

/** A request is judged by where it arrives: one whose Host header does not lead there by itself is one to the host of the hostport. */
export function asReceived(requestClass: RequestClass, isListening: (hostport: string) => boolean): RequestClass {
  const { place, host } = requestClass;
  const own = place.slice(0, place.lastIndexOf(':'));
  return host === own || answeringAt(requestClass, isListening) === place
    ? requestClass
    : { ...requestClass, host: own };
}

/** The same; and a request whose Host header no hostport of the stack answers for is one to that host as well. */
export function everyReceived(
  requestClass: RequestClass,
  isListening: (hostport: string) => boolean,
): readonly [RequestClass, ...RequestClass[]] {
  const received = asReceived(requestClass, isListening);
  const isNobodys = received !== requestClass && answeringAt(requestClass, isListening) === undefined;
  return isNobodys ? [received, requestClass] : [received];
}

/** The hostport that requests to the host arrive at. */
function answeringAt({ place, host }: RequestClass, isListening: (hostport: string) => boolean): string | undefined {
  return answeringFor(`${host}${place.slice(place.lastIndexOf(':'))}`).find(isListening);
}

/** The hostports at which something listens before some steps or after them. */
export function listeningAround(routing: RoutingModel, nodes: readonly Movement[]): ReadonlySet<string> {
  return new Set([...routing.values(), ...routingAfter(routing, nodes).values()].flatMap(hostportsOf));
}
