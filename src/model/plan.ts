import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Path, SpecObject, SpecValue } from '../kinds/value.ts';
import type { Address } from './address.ts';
import type { Marker } from './actual.ts';
import type { PrintedValue } from './resource.ts';
import type { UnresolvedCreation } from './unresolved.ts';

/** What may happen to a resource. `write-file` leaves it as it is, and only its file is written, without a request. */
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
] as const;

/** What happens to a resource. */
export type Action = (typeof actions)[number];

/** Why a field differs (decisions/0034). */
export type Reason = 'changed' | 'drifted' | 'both' | 'unknown';

/** One field that differs. */
export interface FieldChange {
  readonly path: Path;
  /** Undefined: not set. */
  readonly before: SpecValue | undefined;
  readonly after: SpecValue | undefined;
  readonly reason: Reason;
  /** For `both`: as last applied, from where it drifted; undefined: not set then, or not to be shown. */
  readonly applied?: SpecValue;
  readonly immutable: boolean;
  readonly secret: boolean;
}

/** What one change does to one resource, and why. */
export interface Change {
  readonly address: Address;
  readonly kind: string;
  readonly action: Action;
  readonly id?: string;
  readonly parent?: string;
  /** The address under which it was known before. */
  readonly movedFrom?: Address;
  readonly place?: SourceLocation;
  /** Where it was last defined in the manifests, `file:line`, if it is no longer there and that is known. */
  readonly lastSource?: string;
  readonly fields: readonly FieldChange[];
  /** In words: why a replacement, why a deletion, why nothing can be seen. */
  readonly why: readonly string[];
  /** The whole desired spec (create, replace, update); absent for delete and forget. */
  readonly desired?: SpecObject;
  /** The values of `desired` that are printed although they come from outside. */
  readonly printed?: readonly PrintedValue[];
  /** The whole actual spec; absent for create. */
  readonly actual?: SpecObject;
  /** Natural keys worth showing, such as hostports. */
  readonly shows: Readonly<Record<string, SpecValue>>;
  /** The marker to leave behind, its nonce `''` where apply draws one; absent: unmarked. */
  readonly marker?: Marker;
  /** The marker that is there now, where there is one. */
  readonly markerBefore?: Marker;
  /** State knows it, and it is gone: the id it had, and the spec as last applied. */
  readonly vanished?: { readonly id: string; readonly spec: SpecObject };
  /** The marker is not as the last apply has left it. */
  readonly markerDrifted?: true;
  /** Nothing but the marker differs (decisions/0008). */
  readonly markerOnly: boolean;
  readonly protect: boolean;
  readonly retain: boolean;
  /** Held fields, by pointer, with what holds them. */
  readonly held: Readonly<Record<string, string>>;
  /** Pointers of secrets that could be held against nothing, and so are not taken as applied. */
  readonly unverified: readonly string[];
  /** It deletes what sluice left behind itself: made twice by mistake, or replaced before. */
  readonly tidies?: true;
  /** It goes with its parent: no request of its own. */
  readonly withParent?: Address;
  /** It is replaced because it expires soon or has expired. */
  readonly renews?: true;
  readonly blocked?: Blocked;
}

/** Why apply refuses a change, and what would lift it. */
export interface Blocked {
  readonly code: 'PROTECTED' | 'MAX_DELETES' | 'CONTAINS_UNMANAGED' | 'CONTAINS_PROTECTED' | 'POLICY';
  readonly message: string;
}

/** What a step does to its resource. `ready` is a step that only makes room or safety for others. */
export type StepRole = 'create' | 'update' | 'put' | 'unset' | 'delete' | 'ready';

/** One piece of a path: literal text, an id, or the id of a resource that may not exist yet. */
export type PathPart = string | { readonly id: string } | { readonly idOf: Address };

/** One request the plan will make. Ids not known yet are Refs; secrets stay wrapped. */
export interface PlannedRequest {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: readonly PathPart[];
  readonly body?: SpecObject;
  /** The marker that goes out inside this field of the body; a nonce of `''` is drawn at apply. */
  readonly marker?: { readonly field: string; readonly marker: Marker };
  /** The field of the body that says when it ends: so many seconds after apply begins. */
  readonly validFor?: { readonly field: string; readonly seconds: number };
}

/** A file that apply writes beside the stack, without a request. */
export interface FileChange {
  readonly address: Address;
  /** From the stack's directory, with forward slashes. */
  readonly path: string;
  readonly why: 'issued' | 'missing' | 'different';
  /** What it is to hold, where that is known before what it holds is issued. */
  readonly text?: string;
}

/** One request of a change and what it waits for. */
export interface Step {
  /** `<address> <role>[ <detail>]`, unique in the plan. */
  readonly id: string;
  readonly address: Address;
  readonly role: StepRole;
  readonly request: PlannedRequest;
  /** Why it must be this request, where that is not plain. */
  readonly note?: string;
  readonly after: readonly { readonly step: string; readonly because: string }[];
}

/** What dangers there are, the worst first. */
export const hazardCodes = [
  'OPENS_ACCESS',
  'LOSES_ADDRESS',
  'INTERRUPTS_TRAFFIC',
  'REISSUES_CREDENTIAL',
  'MANY_DELETES',
  'ADOPTS_EXISTING',
] as const;

/** A danger a reviewer must see first. */
export interface Hazard {
  readonly code: (typeof hazardCodes)[number];
  readonly address: Address;
  readonly message: string;
  /** Only while the apply runs (decisions/0010). */
  readonly momentary?: boolean;
}

/** The whole of what apply would do, as a value. */
export interface Plan {
  readonly stack: { readonly name: string; readonly id: string };
  readonly profile: 'completed' | 'documented';
  /** When it was made, in milliseconds since 1970; what is due, is due then. Undefined: nothing was judged by time. */
  readonly now?: number;
  /** Every resource, those without change included, by address. */
  readonly changes: readonly Change[];
  /** In the order a reader would want them; `after` decides. */
  readonly steps: readonly Step[];
  readonly files: readonly FileChange[];
  readonly hazards: readonly Hazard[];
  readonly diagnostics: readonly Diagnostic[];
  /** Creations of earlier runs that only a person can resolve. */
  readonly unresolved: readonly UnresolvedCreation[];
  /** Creations of earlier runs of which it is known by now what they made: apply removes their record. */
  readonly concluded: readonly Address[];
  /** False when the run was narrowed and deletes were not considered (decisions/0030). */
  readonly whole: boolean;
  /** Milliseconds between two requests, where the service has a limit that is known. */
  readonly gapMs?: number;
}

/** Whether there is nothing to do. */
export function isEmptyPlan(plan: Plan): boolean {
  return plan.changes.every(({ action }) => action === 'none');
}
