import type { Kind } from '../kinds/kind.ts';
import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import type { Actual } from '../model/actual.ts';

/** A resource, followed by its nested resources. */
export type ResourceFamily = readonly [Actual, ...Actual[]];

/** Where an account is read from: the service, or a snapshot of it. */
export interface AccountSource {
  readonly list: (kind: Kind) => AsyncIterable<ResourceFamily> | Iterable<ResourceFamily>;
  /** Undefined if there is no resource with this id. */
  readonly get: (kind: Kind, id: string) => Promise<ResourceFamily | undefined>;
  /** Where requests arrive, and what serves them. */
  readonly endpoints: () => Promise<readonly ServedEndpoint[]>;
}
