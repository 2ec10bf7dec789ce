import type { Requirement } from './access-rules.ts';
import type { Address } from '../address.ts';
import type { Audience } from './exposed-urls.ts';

/** Who can reach URLs at one time, and what they must satisfy. */
export interface Reachability {
  readonly audience: Audience;
  /** Who can reach them, in words. */
  readonly who: string;
  /** What every request but OPTIONS must satisfy. */
  readonly requires: readonly Requirement[];
  /** The route that takes them; absent where they reach nothing. */
  readonly route?: Address;
  /** The id of the backend that serves them; absent where they reach none. */
  readonly backend?: string;
}

/** URLs that others can reach after a plan, or by another route, or that reach another backend. */
export interface ExposureChange {
  /** `…` at the end stands for all paths that begin so. */
  readonly urls: readonly string[];
  readonly before: Reachability;
  readonly after: Reachability;
}
