/*
 * What watch makes of one change of a plan:
 *
 *   the change                                        it goes on if                    else it waits for
 *   -----------------------------------------------   ------------------------------   ----------------------
 *   is protected, or holds what is                    never                            protected
 *   comes from the manifests                          watch.apply_on_change            approval
 *   puts back what others changed or deleted          watch.heal_drift, watch.kinds    switch
 *   deletes what the manifests no longer have         watch.prune                      switch
 *   renews what is due                                watch.renew                      switch
 *   was put back again and again                      the fight is over                fight
 *   is refused by policy.block or policy.max_deletes  a person approved it             approval (policy.ts)
 *   failed a moment ago                               its time has come                retry (select-applicable.ts)
 *
 * An update may do some of this: then it goes on without the fields that must not be touched. The last two are asked
 * of what is left once everything else that waits is left out.
 */
import { pointerOf } from '../../derive/pointer.ts';
import type { Address } from '../../model/address.ts';
import type { Change, FieldChange } from '../../model/plan.ts';
import type { State } from '../../model/state.ts';
import type { PendingChange } from '../../model/watch-status.ts';
import { repairsDrift, type SyncSettings } from './sync-settings.ts';

/** Why a change is in the plan. */
export type ChangeCause = 'revision' | 'drift' | 'removal' | 'renewal';

/** What judging needs beside the change. */
export interface SyncContext {
  readonly switches: SyncSettings;
  readonly state: State | undefined;
  /** Whether a newer revision has changed what is wanted of an address since it was last applied by this process. */
  readonly isTouched: (address: Address) => boolean;
  readonly isFought: (address: Address, pointer: string) => boolean;
  /** Whether a person has approved what waits for approval. */
  readonly isApproved: (address: Address) => boolean;
}

/** What a change, or a field of it, waits for. */
export interface SyncBlocker {
  readonly reason: PendingChange['reason'];
  readonly message: string;
}

/** A change goes on, but for some fields; or it waits. */
export type SyncDecision =
  | { readonly goes: true; readonly without: ReadonlyMap<string, SyncBlocker> }
  | ({ readonly goes: false } & SyncBlocker);

/** Whether and how far a change may be made now. */
export function decideSync(change: Change, given: SyncContext): SyncDecision {
  const { blocked } = change;
  if (blocked !== undefined && blocked.code !== 'POLICY' && blocked.code !== 'MAX_DELETES')
    return { goes: false, reason: 'protected', message: blocked.message };
  const pieces = piecesOf(change, given);
  const held = new Map(pieces.flatMap((piece) => stopped(piece, change, given)));
  const [stop] = held.values();
  if (stop === undefined) return { goes: true, without: held };
  return held.size < pieces.length && canLeaveOut(change) ? { goes: true, without: held } : { goes: false, ...stop };
}

/** The fields of a change that others have moved, as pointers into spec; `''` is the whole resource. */
export function driftedPointers(change: Change, given: Pick<SyncContext, 'state' | 'isTouched'>): string[] {
  return piecesOf(change, given)
    .filter(({ cause }) => cause === 'drift')
    .map(({ pointer }) => pointer);
}

/** Why a change as a whole is in the plan: the manifests, if they have any part in it. */
export function changeCause(change: Change, given: Pick<SyncContext, 'state' | 'isTouched'>): ChangeCause {
  const causes = piecesOf(change, given).map(({ cause }) => cause);
  return causes.find((cause) => cause !== 'drift') ?? causes[0] ?? 'revision';
}

interface Piece {
  readonly pointer: string;
  readonly cause: ChangeCause;
}

function piecesOf(change: Change, given: Pick<SyncContext, 'state' | 'isTouched'>): Piece[] {
  const { action, address, fields } = change;
  const whole = (cause: ChangeCause): Piece[] => [{ pointer: '', cause }];
  if (change.tidies === true || action === 'adopt' || action === 'forget' || action === 'write-file')
    return whole('revision');
  if (action === 'delete') return whole('removal');
  if (action === 'create')
    return whole(given.state?.entries[address] !== undefined && !given.isTouched(address) ? 'drift' : 'revision');
  if (change.renews === true) return whole('renewal');
  if (fields.length === 0) return whole(change.markerDrifted === true ? 'drift' : 'revision');
  return fields.map((field) => ({ pointer: pointerOf(field.path), cause: causeOfField(field, address, given) }));
}

/** Nobody knows who made a difference of which there is no record: it counts as drift until the manifest is touched (decisions/0034). */
function causeOfField(
  { reason }: FieldChange,
  address: Address,
  { isTouched }: Pick<SyncContext, 'isTouched'>,
): ChangeCause {
  if (reason === 'drifted') return 'drift';
  return reason === 'unknown' && !isTouched(address) ? 'drift' : 'revision';
}

function stopped({ pointer, cause }: Piece, change: Change, given: SyncContext): [string, SyncBlocker][] {
  const { switches } = given;
  const stop = (stop: SyncBlocker): [string, SyncBlocker][] => [[pointer, stop]];
  if (cause === 'drift' && !repairsDrift(switches, change.kind))
    return stop({ reason: 'manual', message: 'drifted; watch.heal_drift is off for this kind' });
  if (cause === 'drift' && given.isFought(change.address, pointer))
    return stop({
      reason: 'drift-conflict',
      message: 'drift conflict: another client keeps reverting it, so sluice leaves it unchanged',
    });
  if (cause === 'removal' && !switches.prune)
    return stop({ reason: 'manual', message: 'no longer in the manifests; watch.prune is off' });
  if (cause === 'renewal' && !switches.renew)
    return stop({ reason: 'manual', message: 'renewal is due; watch.renew is off' });
  if (cause === 'revision' && !switches.applyOnChange && change.tidies !== true && !given.isApproved(change.address))
    return stop({ reason: 'approval', message: 'watch.apply_on_change is off' });
  return [];
}

/** Only an update can go on without some of its fields; a new life has all of them. */
function canLeaveOut({ action }: Change): boolean {
  return action === 'update';
}
