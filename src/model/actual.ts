import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Address } from './address.ts';

/** Who made a resource, as written inside its `metadata` under the key `sluice` (decisions/0008). */
export interface Marker {
  /** `stack name/stack id` */
  readonly s: string;
  /** The address, or kind and hash where it does not fit. */
  readonly a: string;
  /** Flags: `p` protected, `r` retain. */
  readonly p: string;
  readonly n: string;
}

/** One resource as the API shows it. */
export interface Actual {
  readonly kind: string;
  readonly id: string;
  /** Write form: refs as ids, defaults as the service spells them, metadata without the marker. */
  readonly spec: SpecObject;
  /** What only the service decides (computed fields), as answered. */
  readonly computed: SpecObject;
  readonly marker?: Marker;
  /** Why metadata cannot carry a marker: it is text that is no JSON object. */
  readonly unmarkable?: boolean;
  /** The id of its parent. */
  readonly parent?: string;
}

/** The account as observed, and what of it is ours. */
export interface Account {
  /** By address: resources of this stack, from state or marker. */
  readonly ours: ReadonlyMap<Address, Actual>;
  /** Everything else that was read. */
  readonly foreign: readonly Actual[];
  /** Made by us by mistake: a second resource of one address, from a creation whose answer was lost (decisions/0013). */
  readonly duplicates?: readonly { readonly address: Address; readonly actual: Actual }[];
  /** Replaced by us, the new one being there, but not deleted yet. */
  readonly deposed?: readonly { readonly address: Address; readonly actual: Actual }[];
  /** Kinds of which every page was read without error. */
  readonly complete: ReadonlySet<string>;
  /** Addresses that state knows and that are gone. */
  readonly missing: readonly Address[];
  /** Addresses that state knows, each with its resource, which another stack has made its own. */
  readonly takenOver?: ReadonlyMap<Address, Actual>;
  /** Where requests arrive now, as the service shows it; absent unless asked for. */
  readonly served?: readonly ServedEndpoint[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Every resource that was read, whoever owns it. */
export function everyActual({ ours, foreign, duplicates = [], deposed = [] }: Account): Actual[] {
  return [...ours.values(), ...foreign, ...[...duplicates, ...deposed].map(({ actual }) => actual)];
}

/** The ids of all resources in a refreshed account, managed or not: a later creation has none of them. */
export function seenIds(account: Account): ReadonlySet<string> {
  const { served = [] } = account;
  return new Set([...everyActual(account).map(({ id }) => id), ...served.flatMap(({ server }) => server ?? [])]);
}
