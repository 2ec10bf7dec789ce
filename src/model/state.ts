import type { Address } from './address.ts';
import type { ExternalValue } from './external-values.ts';

/** A value in state: as the spec had it, but a secret is `{secret: digest}`, a value from outside that and its `from_env` or `from_file`, and a Ref is its id. */
export type StateValue = null | boolean | number | string | readonly StateValue[] | StateObject;

/** A group of values in state. */
export interface StateObject {
  readonly [key: string]: StateValue;
}

/** The state of one resource. */
export interface Entry {
  readonly kind: string;
  readonly id: string;
  /** The id of its parent. */
  readonly parent?: string;
  /** The spec as last applied. */
  readonly spec: StateObject;
  readonly protect: boolean;
  readonly retain: boolean;
  /** The nonce of its marker; absent for an unmarked resource. */
  readonly nonce?: string;
  /** Nonces of creations whose response was lost: a resource that carries one and appears late is a duplicate of ours. */
  readonly formerNonces?: readonly string[];
  /** The addresses that it had before it was renamed, latest last. Another resource has had none of them since. */
  readonly formerAddresses?: readonly Address[];
  /** Ids of what it replaced and what could not be deleted yet. */
  readonly deposed?: readonly string[];
  /** A request that adopts it was about to be sent, and its outcome is not recorded: without its manifest it is released. */
  readonly adopting?: true;
  /** A request to delete it was about to be sent, and its outcome is not recorded: if it is gone, nobody else has deleted it. */
  readonly deleting?: true;
  /** The spec as it is if a request was carried out whose outcome is not recorded, for each of them: what shows one of these is no drift. */
  readonly attempted?: readonly StateObject[];
  /** The spec was read from the account by `state rebuild`: what was applied is not known. */
  readonly rebuilt?: true;
  /** Where it was last written, `file:line`. */
  readonly source?: string;
  /** Digests of what the service answered for secrets just written: `{pointer: digest}` (decisions/0035). */
  readonly returnedSecrets?: Readonly<Record<string, string>>;
  /** Pointers of secrets that were wanted but neither sent nor verified: whether the service has them is not known. */
  readonly unverifiedSecrets?: readonly string[];
  /** Digests of texts as they were sent, and as the answer showed them, where the two differ: the same pair is no change. */
  readonly rewrittenTexts?: Readonly<Record<string, { readonly sent: string; readonly shown: string }>>;
  /** Limits that the manifest leaves to the service, by pointer, as the answer to our own write showed them. */
  readonly filledIn?: FilledIn;
  /** Texts that the service kept although it was asked to clear them, by pointer: it is not asked again. */
  readonly unclearedFields?: Readonly<Record<string, UnclearedText>>;
}

/** Limits inside modules, by pointer. */
export type FilledIn = Readonly<Record<string, string | number>>;

/** A text that the service did not clear: as it is, or the digest and source of an external value. */
export type UnclearedText =
  | string
  | { readonly secret: string; readonly from_env: string }
  | { readonly secret: string; readonly from_file: string };

/** A pending creation: recorded before the request is sent, removed once its outcome is known. */
export interface Intent {
  readonly kind: string;
  /** The id of its parent. */
  readonly parent?: string;
  readonly nonces: readonly string[];
  /** The spec that was sent, if a value of it came from outside: what it made is masked like it. */
  readonly spec?: StateObject;
  /** The service cannot look up the resource, because it carries no marker or no list contains it: the request is not sent again until `sluice state resolve`. */
  readonly unresolved?: true;
}

/** The access controls of a resource as last applied or seen, in the form of an entry's spec. */
export interface RememberedControls {
  readonly kind: string;
  readonly spec: StateObject;
}

/** What requests had to satisfy when they last reached something: as applied, and as changed outside sluice, where neither asks for all of the other. None where they reached nothing, and a wider pattern did. */
export type LastAccess = readonly ReachedWith[];

/** The access controls of a route and of its edge. */
interface ReachedWith {
  readonly route: RememberedControls;
  /** Absent where requests were passed through unread. */
  readonly edge?: RememberedControls;
}

/** A released resource whose marker could not be removed: it is not adopted again by that marker. */
export interface ForgottenResource {
  readonly kind: string;
  /** The address it had. */
  readonly address: Address;
}

/** The manifests that were applied last, as a whole. */
export interface AppliedRevision {
  /** The commit that was checked out. */
  readonly commit: string;
  /** A hash of what the manifests described: they may have had changes that were not committed. */
  readonly manifests: string;
}

/** The state of a stack between runs. Advice, not truth (decisions/0009). */
export interface State {
  readonly format: 1;
  /** The stack's id: a state of another stack is refused. */
  readonly lineage: string;
  readonly serial: number;
  /** Origin of the API the entries were seen at. */
  readonly account: string;
  /** Salt of the digests, random, made once. */
  readonly salt: string;
  readonly entries: Readonly<Record<Address, Entry>>;
  /** Creations with an unknown outcome: the run that sent them ended before the response. */
  readonly intents?: Readonly<Record<Address, Intent>>;
  /** By id: released resources that still carry our marker (decisions/0032). */
  readonly forgotten?: Readonly<Record<string, ForgottenResource>>;
  /** Every text from a variable or file that was sent, oldest first: what equals one is masked, whichever resource has it (decisions/0052). */
  readonly externalValues?: readonly ExternalValue[];
  /** What requests had to satisfy before (decisions/0045): those that reach nothing any more, by pattern; those to a backend that no route leads to any more, by `backend` and the digest of its id; those of a released route, with what it matched and reached, by `released unmanaged` and its id. */
  readonly lastAccess?: Readonly<Record<string, LastAccess>>;
  /** Absent where that is not known: after an apply of a part, or one that did not complete, and without git. */
  readonly applied?: AppliedRevision;
}
