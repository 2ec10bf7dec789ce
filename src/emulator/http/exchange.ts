import type { MatchedCall } from './router.ts';

/** What TLS shows of a client. */
export interface TlsFacts {
  /** The name that it asks for (SNI). */
  readonly serverName: string | undefined;
  /** Such as `1.3`. */
  readonly version: string;
  /** The client certificate with those that came with it, as PEM; empty where none was asked for or sent. */
  readonly certificates: readonly string[];
}

/** A request as the emulator takes it, from a socket or from inside the process. */
export interface EmulatorRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Uint8Array;
  /** What absolute URIs in the answer begin with. */
  readonly origin?: string;
  /** The address it came from; absent inside the process. */
  readonly from?: string;
  /** What TLS shows of the client; absent without TLS. */
  readonly tls?: TlsFacts;
  /** Who sent it, for the log. */
  readonly actor?: string;
}

/** A request taken apart. */
export interface Exchange {
  /** Counts requests from 1. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly origin: string;
  /** What the path leads to, if anywhere. */
  readonly found: MatchedCall | undefined;
}

/** The headers of a request by lower-case name, each as one text. */
export function headersIn({ headers = {} }: EmulatorRequest): Exchange['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value === undefined || typeof value === 'string' ? value : value.join(', '),
    ]),
  );
}
