import { answeringFor } from '../../model/wildcards.ts';
import { accessOf, type Access } from '../exposure/access.ts';
import { hostportsOf, type RequestClass, type RoutingModel } from '../routing/routing-model.ts';
import type { InstanceKey } from '../order/plan-node.ts';
import type { HttpRequest } from './http-request.ts';
import { addToGroup } from '../../model/group-by.ts';

/** A front door by hostport, so that one of many requests is found quickly. */
export interface RoutingIndex {
  readonly isListening: (hostport: string) => boolean;
  /** The hostport that takes a request: its own, or a wildcard. */
  readonly hostportFor: (request: HttpRequest) => string | undefined;
  readonly edgesAt: (hostport: string) => readonly InstanceKey[];
  /** What becomes of one request, where what is not documented is read as for a class. */
  readonly accessFor: (request: HttpRequest, readAs?: Partial<RequestClass>) => Access;
}

/** Indexes a front door. */
export function routingIndex(routing: RoutingModel): RoutingIndex {
  const listening = new Map<string, InstanceKey[]>();
  const inside = new Map<InstanceKey, InstanceKey[]>();
  for (const [instance, node] of routing) {
    for (const place of hostportsOf(node)) addToGroup(listening, place, instance);
    if (node.parent !== undefined) addToGroup(inside, node.parent, instance);
  }
  const hostportFor = ({ hostport }: HttpRequest): string | undefined =>
    answeringFor(hostport).find((one) => listening.has(one));
  return {
    isListening: (hostport) => listening.has(hostport),
    hostportFor,
    edgesAt: (hostport) => listening.get(hostport) ?? [],
    accessFor: (request, readAs = {}) => {
      const edges = listening.get(hostportFor(request) ?? '') ?? [];
      const instances = edges.flatMap((edge) => [edge, ...(inside.get(edge) ?? [])]);
      return accessOf({ ...readAs, ...classOfRequest(request) }, routing, instances);
    },
  };
}

/** The request class of a single request. */
export function classOfRequest({ hostport, host, path }: HttpRequest): RequestClass {
  return { place: hostport, answering: answeringFor(hostport), host, path };
}
