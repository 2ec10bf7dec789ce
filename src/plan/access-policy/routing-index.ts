import { answeringFor } from '../../model/wildcards.ts';
import { accessOf, type Access } from '../exposure/access.ts';
import { hostportsOf, type RequestClass, type RoutingModel } from '../exposure/routing-model.ts';
import type { InstanceKey } from '../order/plan-node.ts';
import type { HttpRequest } from './http-request.ts';

/** A front door by hostport, so that one of many requests is found quickly. */
export interface RoutingIndex {
  readonly isListening: (hostport: string) => boolean;
  /** The edge with the hostport that takes a request. */
  readonly edgeAt: (request: HttpRequest) => { readonly instance: InstanceKey; readonly hostport: string } | undefined;
  /** What becomes of one request; hosts of matches that are not documented may be ignored. */
  readonly accessFor: (request: HttpRequest, reading?: Pick<RequestClass, 'unclearHosts'>) => Access;
}

/** Indexes a front door. */
export function routingIndex(routing: RoutingModel): RoutingIndex {
  const listening = new Map<string, InstanceKey[]>();
  const inside = new Map<InstanceKey, InstanceKey[]>();
  for (const [instance, node] of routing) {
    for (const place of hostportsOf(node)) listening.set(place, [...(listening.get(place) ?? []), instance]);
    if (node.parent === undefined) continue;
    const known = inside.get(node.parent);
    if (known === undefined) inside.set(node.parent, [instance]);
    else known.push(instance);
  }
  return {
    isListening: (place) => listening.has(place),
    edgeAt: ({ hostport }) => {
      const place = answeringFor(hostport).find((one) => listening.has(one));
      const instance = place === undefined ? undefined : listening.get(place)?.[0];
      return place === undefined || instance === undefined ? undefined : { instance, hostport: place };
    },
    accessFor: (request, reading = {}) => {
      const one = classOfRequest(request);
      const place = one.answering.find((answering) => listening.has(answering));
      const edges = place === undefined ? [] : (listening.get(place) ?? []);
      const instances = edges.flatMap((edge) => [edge, ...(inside.get(edge) ?? [])]);
      return accessOf({ ...one, ...reading }, routing, instances);
    },
  };
}

/** The class of one request, by itself. */
export function classOfRequest({ hostport, host, path }: HttpRequest): RequestClass {
  return { place: hostport, answering: answeringFor(hostport), host, path };
}
