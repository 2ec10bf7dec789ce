import type { Profile } from '../kinds/kind.ts';
import type { AccessRules } from './exposure/access-rules.ts';

/** Who we are: what markers and state are bound to. */
export interface Stack {
  readonly name: string;
  readonly id: string;
  readonly profile: Profile;
  /** Whether created resources carry the marker. */
  readonly marker: boolean;
}

/** A number of resources, or a share of the managed ones. */
export type DeletionLimit = { readonly count: number } | { readonly percent: number };

/** What an apply may do. */
export interface Policy {
  /** How much may be deleted at once. */
  readonly maxDeletes: DeletionLimit;
  /** Hazards that apply refuses unless allowed. */
  readonly block: readonly string[];
  /** URL patterns of what is meant to be public; undefined: not declared. */
  readonly public?: readonly string[];
  /** What requests must satisfy: the rules of the repository and of the operator. */
  readonly access?: readonly AccessRules[];
  /** What the operator forbids beside that. Nobody can allow it: no flag, no approval. */
  readonly operator?: { readonly block: readonly string[]; readonly maxDeletes?: DeletionLimit };
}
