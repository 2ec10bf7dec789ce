/** How an address to serve at is spelled: host:port, an IPv6 address in brackets. */
export const listenPattern = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/;

/** Where to serve. */
export interface HostPort {
  readonly host: string;
  /** 0: one that is free. */
  readonly port: number;
}

/** Reads an address to serve at; undefined: the text is not host:port. */
export function listenAddress(text: string): HostPort | undefined {
  if (!listenPattern.test(text)) return undefined;
  const colon = text.lastIndexOf(':');
  const port = Number(text.slice(colon + 1));
  return port > 65_535 ? undefined : { host: text.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port };
}
