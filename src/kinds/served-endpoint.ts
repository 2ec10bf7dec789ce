import { textOf } from './value.ts';

/** An entry of the endpoints view: where requests arrive, and what serves them. */
export interface ServedEndpoint {
  readonly id: string;
  readonly url: string;
  /** `hostname:port`, in lower case. */
  readonly hostport: string;
  /** The id of an edge, of whatever family; none where an agent serves it directly. */
  readonly server?: string;
  /** The id of the reserved address it is at. */
  readonly address?: string;
  /** The metadata of what serves it, so that a marker in it is found. */
  readonly metadata: string;
}

/** Reads one entry of the endpoints view. */
export function servedEndpoint(answer: unknown): ServedEndpoint {
  const { id, edge, tcp_addr, public_url, hostport, metadata } = objectOf(answer);
  const [server, address] = [textOf(objectOf(edge)['id']), textOf(objectOf(tcp_addr)['id'])];
  return {
    id: textOf(id),
    url: textOf(public_url),
    hostport: textOf(hostport).toLowerCase(),
    ...(server === '' ? {} : { server }),
    ...(address === '' ? {} : { address }),
    metadata: textOf(metadata),
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
