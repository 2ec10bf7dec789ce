/*
 * What watch does with one change of a plan:
 *
 *   the change                                        is applied if                    else it is pending for
 *   -----------------------------------------------   ------------------------------   ----------------------
 *   is protected, or contains such                    never                            protected
 *   would delete what others put inside               never                            contains-unmanaged
 *   is forbidden by the operator                      never                            operator-policy
 *   uses an output of a stack not applied yet         that is applied                  other-stack
 *   moves what may or may not exist                   a person has resolved it         unresolved
 *   comes from the manifests                          watch.apply_on_change            approval
 *   reverts what others changed or deleted            watch.heal_drift, watch.kinds    manual
 *   deletes what the manifests no longer have         watch.prune                      manual
 *   renews what is due                                watch.renew                      manual
 *   was reverted by others repeatedly                 the conflict has ended           drift-conflict
 *   is refused by policy.block or policy.max_deletes  a person approved it             approval (policy-refusals.ts)
 *   opens access only without what is pending         that is applied                  dependency (policy-refusals.ts)
 *   has failed                                        its retry is due                 retry, refused (select-applicable.ts)
 *
 * An update may contain several of these: then it is applied without the pending fields. The last three are checked
 * after all other pending changes are excluded.
 */
import { markerField } from '../../derive/marker.ts';
import { pointerOf } from '../../derive/pointer.ts';
import { kinds } from '../../kinds/index.ts';
import type { Address } from '../../model/address.ts';
import type { Blocked, Change, FieldChange } from '../../model/plan/plan.ts';
import type { ChangeCause, PendingChange } from '../../model/status/watch-status.ts';

/** What watch may apply without approval. */
export interface SyncSettings {
  readonly applyOnChange: boolean;
  readonly healDrift: boolean;
  /** `forbidden`: the operator does not allow it. */
  readonly prune: boolean | 'forbidden';
  readonly renew: boolean;
  /** Drift of one kind, in place of `healDrift`. */
  readonly kinds: Readonly<Record<string, 'report' | 'heal'>>;
}

/** Facts for the decision, beside the change. */
export interface SyncContext {
  readonly syncSettings: SyncSettings;
  /** Whether a newer revision has changed the desired spec since this process last applied it. */
  readonly hasChanged: (address: Address) => boolean;
  /** Whether this process has seen the address in sync with the desired spec as it is. */
  readonly wasInSync: (address: Address) => boolean;
  readonly isInConflict: (address: Address, pointer: string) => boolean;
  /** Whether the pending change is approved. */
  readonly isApproved: (address: Address) => boolean;
}

/** What tells why a change is in the plan. */
export type CauseFacts = Pick<SyncContext, 'syncSettings' | 'wasInSync' | 'hasChanged'>;

/** Why a change, or a field of it, is pending. */
export interface SyncBlocker extends Pick<PendingChange, 'reason' | 'waitsFor' | 'message' | 'hazardCode' | 'until'> {
  /** Since when, where something is known of that: of what failed, its first failure. */
  readonly since?: number;
  /** Why the pending part is in the plan; absent: the whole change is pending. */
  readonly cause?: ChangeCause;
}

/** A change is applied, without some of its fields; or it is pending. */
export type SyncDecision =
  | { readonly isAllowed: true; readonly without: ReadonlyMap<string, SyncBlocker> }
  | ({ readonly isAllowed: false } & SyncBlocker);

// What no approval lifts, by what it waits for instead.
const blockReasons: Readonly<Record<Blocked['code'], PendingChange['reason'] | undefined>> = {
  PROTECTED: 'protected',
  CONTAINS_PROTECTED: 'protected',
  CONTAINS_UNMANAGED: 'contains-unmanaged',
  OPERATOR_POLICY: 'operator-policy',
  OUTPUT_NOT_KNOWN: 'other-stack',
  UNRESOLVED_CREATION: 'unresolved',
  POLICY: undefined,
  MAX_DELETES: undefined,
};

/** Whether what blocks a change ends with its approval. */
export function isLiftedByApproval({ code }: Blocked): boolean {
  return blockReasons[code] === undefined;
}

/** Whether and how far a change may be applied now. */
export function decideSync(change: Change, given: SyncContext): SyncDecision {
  const { blocked } = change;
  const reason = blocked === undefined ? undefined : blockReasons[blocked.code];
  if (blocked !== undefined && reason !== undefined)
    return {
      isAllowed: false,
      reason,
      // The reason contains how protection is removed.
      message: blocked.code === 'PROTECTED' ? '`lifecycle.protect` is set' : blocked.message,
    };
  const parts = partsOf(change, given);
  const held = new Map(parts.flatMap((part) => blockerOf(part, change, given)));
  const [stop] = held.values();
  if (stop === undefined) return { isAllowed: true, without: held };
  // Only an update can be applied without some of its fields; a creation needs all of them.
  return held.size < parts.length && change.action === 'update'
    ? { isAllowed: true, without: held }
    : { isAllowed: false, ...stop };
}

/** The drifted fields of a change, as pointers into spec; `''` is the whole resource. */
export function driftedPointers(change: Change, given: CauseFacts): string[] {
  return partsOf(change, given)
    .filter(({ cause }) => cause === 'drift')
    .map(({ pointer }) => pointer);
}

/** The cause of a change as a whole: the manifests, if they are part of it. */
export function changeCause(change: Change, given: CauseFacts): ChangeCause {
  const causes = partsOf(change, given).map(({ cause }) => cause);
  return causes.find((cause) => cause !== 'drift') ?? causes[0] ?? 'revision';
}

interface Part {
  readonly pointer: string;
  readonly cause: ChangeCause;
}

function partsOf(change: Change, given: CauseFacts): Part[] {
  const { action, fields } = change;
  const whole = (cause: ChangeCause): Part[] => [{ pointer: '', cause }];
  if (change.cleanup !== undefined || ['adopt', 'forget', 'write-file', 'record'].includes(action))
    return whole('revision');
  if (action === 'delete') return whole('removal');
  if (action === 'create') return whole(isRepair(change, given) ? 'drift' : 'revision');
  if (change.isRenewal === true) return whole('renewal');
  if (fields.length === 0)
    return change.markerDrifted === true ? [{ pointer: markerPointer(change), cause: 'drift' }] : whole('revision');
  return fields.map((field) => ({ pointer: pointerOf(field.path), cause: causeOfField(field, change, given) }));
}

/** The field with the ownership marker. */
export function markerPointer({ kind }: Pick<Change, 'kind'>): string {
  const known = kinds.named(kind);
  return pointerOf([(known && markerField(known)) ?? '']);
}

/** A resource that was deleted in the account is created again as it was; with another manifest, its creation is no repair. */
function isRepair({ address, deletedOutside }: Change, { wasInSync }: Pick<SyncContext, 'wasInSync'>): boolean {
  return deletedOutside !== undefined && (deletedOutside.isAsApplied === true || wasInSync(address));
}

/** Whether drift of a kind is repaired. */
function repairsDrift({ kinds: own, healDrift }: SyncSettings, kind: string): boolean {
  return Object.hasOwn(own, kind) ? own[kind] === 'heal' : healDrift;
}

/** Nobody knows who made a difference of which there is no record: it needs approval like a revision, and is not written over where drift is only reported (decisions/0034). */
function causeOfField(
  { reason }: FieldChange,
  { address, kind }: Change,
  { syncSettings, wasInSync, hasChanged }: CauseFacts,
): ChangeCause {
  if (reason === 'drifted') return 'drift';
  if (reason !== 'unknown') return 'revision';
  const isOnlyReported = syncSettings.applyOnChange && !repairsDrift(syncSettings, kind) && !hasChanged(address);
  return wasInSync(address) || isOnlyReported ? 'drift' : 'revision';
}

function blockerOf({ pointer, cause }: Part, change: Change, given: SyncContext): [string, SyncBlocker][] {
  const { syncSettings } = given;
  const stop = (stop: SyncBlocker): [string, SyncBlocker][] => [[pointer, { ...stop, cause }]];
  if (cause === 'drift' && !repairsDrift(syncSettings, change.kind)) {
    const isUnrecorded = change.fields.some(({ path, reason }) => reason === 'unknown' && pointerOf(path) === pointer);
    const why = isUnrecorded ? 'state does not record what was applied last' : 'drifted';
    return stop({ reason: 'manual', message: `${why}; watch.heal_drift is off for this kind` });
  }
  if (cause === 'drift' && given.isInConflict(change.address, pointer))
    return stop({
      reason: 'drift-conflict',
      message:
        pointer === ''
          ? 'another client keeps deleting the resource, so sluice no longer creates it again'
          : 'another client keeps reverting the field, so sluice no longer corrects it',
    });
  if (cause === 'removal' && syncSettings.prune !== true)
    return stop({
      reason: 'manual',
      message:
        syncSettings.prune === 'forbidden'
          ? 'the resource is no longer in the manifests, and the operator policy does not allow watch.prune'
          : 'the resource is no longer in the manifests, and watch.prune is off',
    });
  if (cause === 'renewal' && !syncSettings.renew)
    return stop({ reason: 'manual', message: 'the certificate is due for renewal, and watch.renew is off' });
  if (
    cause === 'revision' &&
    !syncSettings.applyOnChange &&
    change.cleanup === undefined &&
    !given.isApproved(change.address)
  )
    return stop({ reason: 'approval', message: 'watch.apply_on_change is off' });
  return [];
}
