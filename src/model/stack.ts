import type { Profile } from '../kinds/kind.ts';
import type { AccessRules } from './access-rules.ts';

/** Who we are: what markers and state are bound to. */
export interface Stack {
  readonly name: string;
  readonly id: string;
  readonly profile: Profile;
  /** Whether created resources carry the marker. */
  readonly marker: boolean;
}

/** How much may be deleted at once: a number, or a share of the managed resources. */
export interface Policy {
  readonly maxDeletes: { readonly count: number } | { readonly percent: number };
  /** Hazards that apply refuses unless allowed. */
  readonly block: readonly string[];
  /** URL patterns of what is meant to be public; undefined: not declared. */
  readonly public?: readonly string[];
  /** What requests must satisfy: the rules of the repository and of the operator. */
  readonly access?: readonly AccessRules[];
}
