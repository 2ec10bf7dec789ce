import { isDrift, type Change, type FieldChange } from '../../model/plan/plan.ts';
import { present } from '../../model/present.ts';
import { withValue } from '../values/with-value.ts';

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
