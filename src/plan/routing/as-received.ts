import { answeringFor, meansHost } from '../../model/wildcards.ts';
import type { Movement } from '../order/plan-node.ts';
import { hostportsOf, routingAfter, type RequestClass, type RoutingModel } from './routing-model.ts';

/** A request whose Host header names another hostport of the stack than it arrives at is judged by where it arrives. */
export function asReceived(requestClass: RequestClass, isListening: (hostport: string) => boolean): RequestClass {
  const { place, host } = requestClass;
  const colon = place.lastIndexOf(':');
  const own = place.slice(0, colon);
  if (host === own) return requestClass;
  const answers = answeringFor(`${host}${place.slice(colon)}`).find(isListening);
  const isElsewhere = answers !== undefined && answers !== place;
  return isElsewhere || (answers === undefined && meansHost(own, host)) ? { ...requestClass, host: own } : requestClass;
}

/** The hostports at which something listens before some steps or after them. */
export function listeningAround(routing: RoutingModel, nodes: readonly Movement[]): ReadonlySet<string> {
  return new Set([...routing.values(), ...routingAfter(routing, nodes).values()].flatMap(hostportsOf));
}
