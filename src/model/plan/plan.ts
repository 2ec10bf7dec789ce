import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path, SpecObject, SpecValue } from '../../kinds/value.ts';
import { type RuleSource, type RuleVerdict, isUnallowedBreach } from '../exposure/access-rules.ts';
import type { Address } from '../address.ts';
import type { ExposureChange } from '../exposure/exposure-change.ts';
import type { Marker } from '../actual.ts';
import type { ItemLines, PrintedValue } from '../resource.ts';
import type { LastAccess } from '../state.ts';
import type { UnresolvedCreation } from '../unresolved.ts';
import { addToGroup } from '../group-by.ts';

/** The actions on a resource. `write-file` only writes its file, and `record` only state, without a request. */
export const actions = [
  'none',
  'create',
  'update',
  'replace-create-first',
  'replace-delete-first',
  'delete',
  'adopt',
  'forget',
  'write-file',
  'record',
] as const;

/** One action. */
export type Action = (typeof actions)[number];

/** Why a field may differ (decisions/0034). */
export const reasons = ['changed', 'drifted', 'both', 'unknown'] as const;

/** Why a field differs. */
export type Reason = (typeof reasons)[number];

/** One field that differs. */
export interface FieldChange {
  readonly path: Path;
  /** Undefined: not set. */
  readonly before: SpecValue | undefined;
  readonly after: SpecValue | undefined;
  readonly reason: Reason;
  /** For `both`: as last applied, from where it drifted; undefined: not set then, or not to be shown. */
  readonly applied?: SpecValue;
  /** Where the manifest has the items of a structured text. */
  readonly items?: ItemLines;
  readonly immutable: boolean;
  readonly secret: boolean;
  /** For a secret that the service does not show: whether there is one, and whether it differs, is not known from `before`. */
  readonly unreadable?: true;
}

/** What of the ownership of a resource may be recorded in state alone (decisions/0008). */
export const ownershipFacts = ['owned', 'moved', 'protected', 'unprotected', 'retained', 'not-retained'] as const;

/** One such fact. */
export type OwnershipFact = (typeof ownershipFacts)[number];

/** What one change does to one resource, and why. */
export interface Change {
  readonly address: Address;
  readonly kind: string;
  readonly action: Action;
  readonly id?: string;
  readonly parent?: string;
  /** Its previous address. */
  readonly movedFrom?: Address;
  /** Where what changes is written: in its manifest, or in the patch that every change of a field comes from. */
  readonly place?: SourceLocation;
  /** Where its manifest is, if `place` is elsewhere. */
  readonly manifestPlace?: SourceLocation;
  /** Where it was last defined in the manifests, `file:line`, if it is no longer there and that is known. */
  readonly lastSource?: string;
  readonly fields: readonly FieldChange[];
  /** Why the change is necessary, as text. */
  readonly why: readonly string[];
  /** The whole desired spec (create, replace, update); absent for delete and forget. */
  readonly desired?: SpecObject;
  /** The values of `desired` that are printed although they come from outside. */
  readonly printed?: readonly PrintedValue[];
  /** The whole actual spec; absent for create. */
  readonly actual?: SpecObject;
  /** Natural keys worth showing, such as hostports. */
  readonly shows: Readonly<Record<string, SpecValue>>;
  /** The marker after the change, its nonce `''` where apply generates one; absent: unmarked. */
  readonly marker?: Marker;
  /** The current marker, if there is one; with the flags that state has where it cannot be written again. */
  readonly markerBefore?: Marker;
  /** In state, but deleted outside sluice: its id, the spec as last applied, and whether the manifest still says that. */
  readonly deletedOutside?: { readonly id: string; readonly spec: SpecObject; readonly isAsApplied?: true };
  /** The marker differs from the one last applied. */
  readonly markerDrifted?: true;
  /** Nothing but the marker differs (decisions/0008). */
  readonly markerOnly: boolean;
  /** What is new about its ownership and only state will record, perhaps nothing. Absent: its marker records that. */
  readonly stateOnly?: readonly OwnershipFact[];
  readonly protect: boolean;
  readonly retain: boolean;
  /** Unmanaged fields by pointer: left as the service has them, with the reason. */
  readonly unmanagedFields: UnmanagedFields;
  /** Pointers of secrets that cannot be compared with anything, so they do not count as applied. */
  readonly unverified: readonly string[];
  /** It deletes a leftover of sluice itself. */
  readonly cleanup?: 'duplicate' | 'deposed';
  /** It is deleted together with its parent, without a request of its own. */
  readonly deletedWith?: Address;
  /** It is replaced because it expires soon or has expired. */
  readonly isRenewal?: true;
  readonly blocked?: Blocked;
}

/** Why a change may be blocked. */
export const blockedCodes = [
  'PROTECTED',
  'MAX_DELETES',
  'CONTAINS_UNMANAGED',
  'CONTAINS_PROTECTED',
  'POLICY',
  'OPERATOR_POLICY',
  'OUTPUT_NOT_KNOWN',
  'UNRESOLVED_CREATION',
] as const;

/** Why apply refuses a change, and what would allow it. */
export interface Blocked {
  readonly code: (typeof blockedCodes)[number];
  readonly message: string;
  /** The address of the manifest that protects the resource, if it has another one by now. */
  readonly manifest?: Address;
}

/** What a step does to its resource. `prepare` only prepares a step of another resource, and is undone or completed later. */
export type StepRole = 'create' | 'update' | 'put' | 'unset' | 'delete' | 'prepare';

/** One piece of a path: literal text, an id, or the id of a resource that may not exist yet. */
export type PathPart = string | { readonly id: string } | { readonly idOf: Address };

/** The methods of requests that change something. */
export const writeMethods = ['POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** One of them. */
export type WriteMethod = (typeof writeMethods)[number];

/** One request the plan will make. Ids not known yet are Refs; secrets stay wrapped. */
export interface PlannedRequest {
  readonly method: WriteMethod;
  readonly path: readonly PathPart[];
  readonly body?: SpecObject;
  /** The marker sent inside this field of the body; a nonce of `''` is generated at apply. */
  readonly marker?: { readonly field: string; readonly marker: Marker };
  /** The field of the body that sets the expiry: this many seconds after the apply starts. */
  readonly validFor?: { readonly field: string; readonly seconds: number };
}

/** A file that apply writes in the directory of the stack, without a request. */
export interface FileChange {
  readonly address: Address;
  /** From the stack's directory, with forward slashes. */
  readonly path: string;
  readonly reason: 'issued' | 'missing' | 'different';
  /** Its content, if that is known before the apply. */
  readonly text?: string;
}

/** One request of a change and the steps it depends on. */
export interface Step {
  /** `<address> <role>[ <detail>]`, unique in the plan. */
  readonly id: string;
  readonly address: Address;
  readonly role: StepRole;
  readonly request: PlannedRequest;
  /** Why it must be this request, where that is not plain. */
  readonly note?: string;
  readonly dependsOn: readonly { readonly step: string; readonly reason: string }[];
}

/** The hazard codes, the most severe first. */
export const hazardCodes = [
  'OPENS_ACCESS',
  'EXPOSES_PUBLICLY',
  'PUBLICLY_EXPOSED',
  'LOSES_ADDRESS',
  'DELETES_UNMARKED',
  'INTERRUPTS_TRAFFIC',
  'RESTRICTS_ACCESS',
  'REISSUES_CREDENTIAL',
  'MANY_DELETES',
  'ADOPTS_EXISTING',
] as const;

/** One of them. */
export type HazardCode = (typeof hazardCodes)[number];

/** What one change does to the access to some URLs. */
export interface HazardEffect {
  /** The change; none: the account is so already. */
  readonly cause?: Address;
  readonly urls: readonly string[];
  /** Digests of who has access before and after: equal where nothing differs. */
  readonly before: string;
  readonly after: string;
  /** Digests of what requests have to satisfy after: more of them admit fewer clients. */
  readonly asked?: readonly string[];
}

/** A risk that a reviewer must see first. */
export interface Hazard {
  readonly code: HazardCode;
  readonly address: Address;
  readonly message: string;
  /** It exists only during the apply (decisions/0010). */
  readonly temporary?: boolean;
  /** The changes that cause it, where it is about another resource than it is caused by; none: the account is so already. */
  readonly causes?: readonly Address[];
  /** Every URL it concerns, in full; `…` at the end stands for all paths that begin so. */
  readonly urls?: readonly string[];
  /** What is asked of whom, in words: before and after; empty where anybody may pass. */
  readonly asked?: { readonly before: string; readonly after: string };
  /** The same as facts, by the changes that cause it, for comparing two plans (decisions/0036). */
  readonly effects?: readonly HazardEffect[];
  /** It is about the stack as a whole; the address is that of one change that causes it. */
  readonly isOfStack?: true;
  /** `access.public` is set and does not list it. */
  readonly unlisted?: true;
  /** `access.public` of this source lists it, and so lifts what this source blocks, and nothing else. */
  readonly listedBy?: RuleSource;
}

/** The changes that cause a hazard. */
export function causesOf({ address, causes }: Hazard): readonly Address[] {
  return causes ?? [address];
}

/** Hazards by the changes that cause them. */
export function hazardsByChange(hazards: readonly Hazard[]): ReadonlyMap<Address, readonly Hazard[]> {
  const by = new Map<Address, Hazard[]>();
  for (const hazard of hazards) for (const address of causesOf(hazard)) addToGroup(by, address, hazard);
  return by;
}

/** The whole of what apply would do, as a value. */
export interface Plan {
  readonly stack: { readonly name: string; readonly id: string };
  readonly profile: 'completed' | 'documented';
  /** The time of the plan, in milliseconds since 1970, which decides what is due for renewal. Undefined: nothing depends on time. */
  readonly now?: number;
  /** Every resource, those without change included, by address. */
  readonly changes: readonly Change[];
  /** In reading order; `dependsOn` decides. */
  readonly steps: readonly Step[];
  readonly files: readonly FileChange[];
  readonly hazards: readonly Hazard[];
  readonly diagnostics: readonly Diagnostic[];
  /** Creations of earlier runs that only a person can resolve. */
  readonly unresolved: readonly UnresolvedCreation[];
  /** URLs that this plan makes public, and that `access.public` lists. */
  readonly publicByPolicy: readonly string[];
  /** What it changes of who can reach what; empty where nothing changes. */
  readonly exposureChanges: readonly ExposureChange[];
  /** Whether the access rules hold now and after the plan; absent where none are declared. */
  readonly rules?: readonly RuleVerdict[];
  readonly lastAccess: LastAccessChange;
  /** Creations of earlier runs whose outcome is known by now: apply removes their record. */
  readonly resolvedCreations: readonly Address[];
  /** The addresses of the `External`s, by the ids that they give a name. */
  readonly externals?: Readonly<Record<string, Address>>;
  /** False for a targeted plan, which does not consider deletes (decisions/0030). */
  readonly complete: boolean;
  /** It deletes every resource of the stack, whatever the manifests have. */
  readonly destroying?: true;
  /** Milliseconds between two requests, where the service has a limit that is known. */
  readonly gapMs?: number;
  /** The account was read from this file, and not from the service. */
  readonly snapshot?: PlanSnapshot;
}

/** What state is to remember of requests that reach nothing, or may reach nothing if an apply ends early (decisions/0045), and of backends that nothing leads to (decisions/0083). */
export interface LastAccessChange {
  /** Before the first request, by pattern, or by `backend` and the digest of its id. */
  readonly remember: Readonly<Record<string, LastAccess>>;
  /** The keys of what reaches something again, or is reached again, once all is carried out. */
  readonly forget: readonly string[];
}

/** Whether there is nothing to do. */
export function isEmptyPlan(plan: Plan): boolean {
  return plan.changes.every(({ action }) => action === 'none');
}

/** A plan with other values; what the plan finds only when asked is not asked for, as spreading would. */
export function revisedPlan<P extends Plan>(plan: P, values: Partial<Plan>): P {
  const descriptors = { ...Object.getOwnPropertyDescriptors(plan), ...Object.getOwnPropertyDescriptors(values) };
  return Object.defineProperties({ ...values }, descriptors) as P;
}

/** Whether a field has changed since the last apply, whether or not the manifest has as well. */
export function isDrift({ reason }: Pick<FieldChange, 'reason'>): boolean {
  return reason === 'drifted' || reason === 'both';
}

/** Whether a resource has changed since the last apply, whatever the plan does about it. */
export function hasDrifted({ fields, deletedOutside, markerDrifted }: Change): boolean {
  return deletedOutside !== undefined || markerDrifted === true || fields.some(isDrift);
}

/** The snapshot that a plan was made from. */
export interface PlanSnapshot {
  /** RFC 3339. */
  readonly takenAt: string;
  /** The commit of the pipeline that took it. */
  readonly revision?: string;
}

/** Why sluice leaves a field as the service has it: `lifecycle.ignore` lists it, it is not set and its default is unknown, the service does not clear it, or the API profile does not have it. */
export const unmanagedReasons = ['ignored', 'unknown-default', 'not-cleared', 'not-in-profile'] as const;

/** One of `unmanagedReasons`. */
export type UnmanagedReason = (typeof unmanagedReasons)[number];

/** Unmanaged fields by JSON pointer. */
export type UnmanagedFields = Readonly<Record<string, UnmanagedReason>>;

/** Whether sluice no longer manages the resource once the action is done. */
export function isRemoval(action: Action): boolean {
  return action === 'delete' || action === 'forget';
}

/** Whether an action ends one resource and makes another in its place, in whichever order. */
export function isReplacement(action: Action): boolean {
  return action === 'replace-create-first' || action === 'replace-delete-first';
}

/** Whether an action gives its address a new id. */
export function getsNewId(action: Action): boolean {
  return action === 'create' || isReplacement(action);
}

/** Whether somebody has to act: changes to apply, a creation to resolve, or an access rule that is broken in the account. */
export function isPending(plan: Plan): boolean {
  return !isEmptyPlan(plan) || plan.unresolved.length > 0 || plan.rules?.some(isUnallowedBreach) === true;
}
