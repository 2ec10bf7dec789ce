import { answeringFor } from '../../model/wildcards.ts';
import { accessOf, type Access, type Method } from '../exposure/access.ts';
import { classUrl } from '../exposure/class-url.ts';
import { hostportsOf, type RequestClass, type RoutingModel } from '../routing/routing-model.ts';
import type { InstanceKey } from '../order/plan-node.ts';
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

/** One request to a front door: where it arrives, and what it asks for. */
export interface HttpRequest {
  readonly method: string;
  /** In lower case, with its port. */
  readonly hostport: string;
  /** By its Host header, in lower case. */
  readonly host: string;
  /** As sent, without its query. */
  readonly path: string;
}

const urlForm = /^https:\/\/([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)(?::([0-9]{1,5}))?(\/[^?#\s]*)?(?:[?#]\S*)?$/;
const methodForm = /^[A-Z][A-Z-]*$/;

/** Reads a method and a URL. The path stays as written, because routes compare it byte by byte. */
export function httpRequest(method: string, url: string): HttpRequest | undefined {
  const [whole, host = '', port = '443', path = '/'] = urlForm.exec(url) ?? [];
  if (whole === undefined || !methodForm.test(method) || Number(port) > 65_535) return undefined;
  const name = host.toLowerCase();
  return { method, hostport: `${name}:${port}`, host: name, path };
}

/** A request in words: `GET https://shop.example.com/admin`, with the hostport where it arrives if that is another. */
export function requestText({ method, hostport, host, path }: HttpRequest): string {
  return `${method} ${classUrl({ place: hostport, host, path })}`;
}

/** The methods that access control distinguishes: OPTIONS, and any other. */
export function methodOf({ method }: Pick<HttpRequest, 'method'>): Method {
  return method === 'OPTIONS' ? 'OPTIONS' : 'any';
}
