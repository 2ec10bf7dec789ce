import type { Address } from './address.ts';

/** A creation whose answer was lost and of which no request can find out what it made: only a person can. */
export interface UnresolvedCreation {
  readonly address: Address;
  readonly kind: string;
  /** The id of its parent. */
  readonly parent?: string;
}
