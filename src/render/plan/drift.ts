import { isDrift, isReplacement, type Change, type FieldChange } from '../../model/plan/plan.ts';
import { present } from '../../model/present.ts';
import { withValue } from '../values/with-value.ts';
import { instanceLines } from './change-lines.ts';

/** The heading of the changes that repair drift. */
export const driftHeading = 'Drift since the last apply; apply reverts it';

/** What the manifests introduce, what only repairs drift, and the addresses with a part on both sides; no-ops are on neither. */
export function splitByCause(changes: readonly Change[]): {
  introduced: Change[];
  repairs: Change[];
  both: Set<string>;
} {
  const pending = changes.filter(({ action }) => action !== 'none');
  const byAddress = new Map(pending.map((change) => [change.address, change]));
  const [introduced, repairs]: [Change[], Change[]] = [[], []];
  const both = new Set<string>();
  for (const change of pending) {
    if (isRepair(change, byAddress)) repairs.push(change);
    else {
      const drifted = change.action === 'adopt' ? [] : change.fields.filter(isDrifted);
      const others = change.fields.filter((field) => !drifted.includes(field));
      introduced.push(drifted.length === 0 ? change : { ...change, fields: others });
      if (drifted.length === 0) continue;
      both.add(change.address);
      repairs.push(partOf(change, drifted));
    }
  }
  return { introduced, repairs, both };
}

function isRepair(change: Change, byAddress: ReadonlyMap<string, Change>): boolean {
  const { action, fields, movedFrom, deletedOutside, markerOnly, markerDrifted, deletedWith, stateOnly = [] } = change;
  if (action === 'create') return deletedOutside !== undefined;
  if (movedFrom !== undefined || stateOnly.length > 0) return false;
  const home = deletedWith === undefined || !isReplacement(change.action) ? undefined : byAddress.get(deletedWith);
  if (home !== undefined && fields.every(isDrifted)) return isRepair(home, byAddress);
  if (action !== 'update' && !isReplacement(change.action)) return false;
  if (fields.length === 0) return markerOnly && markerDrifted === true;
  return fields.every(isDrifted) && (isReplacement(change.action) || instanceLines(change).length === 0);
}

/** The part of a change that repairs drift; the rest of it is in the other part. */
function partOf(change: Change, fields: readonly FieldChange[]): Change {
  const { blocked: _, ...rest } = change;
  return { ...rest, fields, why: [], unmanagedFields: {} };
}

function isDrifted({ reason }: FieldChange): boolean {
  return reason === 'drifted';
}

/** The drift of a resource as a change of its own: from what was last applied to the actual state. */
export function driftAsChange(change: Change): Change {
  const { address, kind, id, parent, place, fields, deletedOutside, actual = {}, desired = {} } = change;
  const drifted = fields.filter(isDrift).map(backwards);
  const before =
    deletedOutside?.spec ?? drifted.reduce((spec, field) => withValue(spec, field.path, field.before), actual);
  return {
    address,
    kind,
    action: deletedOutside === undefined ? 'update' : 'delete',
    ...present({ id: deletedOutside?.id ?? id, parent, place }),
    fields: drifted,
    why: [],
    actual: before,
    desired: deletedOutside === undefined ? actual : desired,
    shows: {},
    markerOnly: deletedOutside === undefined && drifted.length === 0,
    protect: change.protect,
    retain: change.retain,
    unmanagedFields: {},
    unverified: [],
  };
}

function backwards(field: FieldChange): FieldChange {
  return { ...field, before: field.reason === 'both' ? field.applied : field.after, after: field.before };
}
