import type { Address } from '../address.ts';

/** Anyone, those who satisfy access controls, or nobody: the most open first. */
export const audiences = ['public', 'restricted', 'nobody'] as const;

/** One of them. */
export type Audience = (typeof audiences)[number];

/** An address that clients use beside the URLs of edges: what is served there decides who can reach it. */
export interface ServedAddress {
  /** `1.tcp.eu.example.com:25373`; absent where the service has assigned it since the last refresh. */
  readonly at?: string;
  readonly resource: Address;
  /** Who can reach it, in words. */
  readonly who: string;
}

/** URLs that the same people reach by the same route. */
export interface ExposedUrls {
  readonly audience: Audience;
  /** Who can reach them, in words. */
  readonly who: string;
  /** Who can reach them before a plan, where that differs. */
  readonly before?: string;
  /** `…` at the end stands for all paths that begin so. */
  readonly urls: readonly string[];
  readonly edge: Address;
  readonly route: Address;
}

/** What can be reached, by whom; beside what a plan changes of it, where there is one. */
export interface ExposureMap {
  /** What is public first. */
  readonly rows: readonly ExposedUrls[];
  /** Absent where nobody asked for them. */
  readonly addresses?: readonly ServedAddress[];
  /** Other spellings of protected paths that reach a public route, because routes compare paths byte by byte. */
  readonly variants: readonly { readonly path: string; readonly variant: string; readonly route: Address }[];
}
