import type { DoorEdge, FrontDoor } from './front-door.ts';
import type { GatewayReading } from './gateway-options.ts';
import { isCovered } from './wildcard-host.ts';

/** An edge, with the hostport of it at which a request arrived. */
export interface FoundEdge {
  readonly edge: DoorEdge;
  readonly hostport: string;
}

/** The edge that answers at a hostport: the one with exactly that, else the one with the longest wildcard; which of several is an option. */
export function findEdge(hostport: string, { edges }: FrontDoor, reading: GatewayReading): FoundEdge | undefined {
  const asked = hostport.toLowerCase();
  const [host, port] = splitHostport(asked);
  let found: FoundEdge | undefined;
  for (const edge of reading.sameHostport === 'oldest' ? edges : edges.toReversed()) {
    for (const own of edge.hostports) {
      if (own === asked) return { edge, hostport: own };
      const [wildcard, at] = splitHostport(own);
      if (at === port && isCovered(wildcard, host, reading) && own.length > (found?.hostport.length ?? 0))
        found = { edge, hostport: own };
    }
  }
  return found;
}

/** The host and the port of a hostport. */
export function splitHostport(hostport: string): readonly [host: string, port: string] {
  const colon = hostport.lastIndexOf(':');
  return colon < 0 ? [hostport, ''] : [hostport.slice(0, colon), hostport.slice(colon + 1)];
}
