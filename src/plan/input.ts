import type { Kind, KindSet } from '../kinds/kind.ts';
import type { Ref, Secret } from '../kinds/value.ts';
import type { Account, Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Desired, DesiredStack } from '../model/resource.ts';
import type { Policy, Stack } from '../model/stack.ts';
import type { Entry, State } from '../model/state.ts';

/** Everything a plan is made from. Nothing else decides: the caller reads time and files. */
export interface PlanInput {
  readonly desired: DesiredStack;
  readonly account: Account;
  /** Undefined when nothing is remembered. */
  readonly state: State | undefined;
  readonly stack: Stack;
  readonly policy: Policy;
  readonly kinds: KindSet;
  readonly digest: (text: string) => string;
  /** Addresses that this run leaves as they are, whatever the manifests contain. */
  readonly leave?: ReadonlySet<Address>;
  /** The addresses of a targeted plan; a deletion of one of them is planned too (decisions/0030). */
  readonly targets?: readonly Address[];
  readonly resendSecrets?: boolean;
  /** Hazards that a person has allowed by name. */
  readonly allow?: readonly string[];
  /** The run means to delete everything, so `max_deletes` does not count (law 7). */
  readonly destroying?: boolean;
  /** The moment by which all of this run judges what is due, in milliseconds since 1970; without it nothing is. */
  readonly now?: number;
  /** What the files of wanted resources hold, by path, undefined for one that is missing; without it none is planned. */
  readonly files?: ReadonlyMap<string, string | undefined>;
}

/** What is wanted and what is there under one address. */
export interface Match {
  readonly address: Address;
  readonly kind: Kind;
  readonly desired?: Desired;
  /** The references and secrets that the wanted spec contains: most specs contain none. */
  readonly refsAndSecrets: readonly (Ref | Secret)[];
  readonly actual?: Actual;
  readonly entry?: Entry;
  readonly movedFrom?: Address;
  /** A leftover: a second resource of one address, made by a creation of ours whose answer was lost (decisions/0013), or one that was replaced before. */
  readonly cleanup?: NonNullable<Change['cleanup']>;
  /** Taken over by `lifecycle.adopt`. */
  readonly adopted?: boolean;
}
