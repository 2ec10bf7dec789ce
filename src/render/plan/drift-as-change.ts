import { type Change, type FieldChange, isDrift } from '../../model/plan/plan.ts';
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
    ...(deletedOutside === undefined && id === undefined ? {} : { id: deletedOutside?.id ?? id ?? '' }),
    ...(parent === undefined ? {} : { parent }),
    ...(place === undefined ? {} : { place }),
    fields: drifted,
    why: [],
    actual: before,
    ...(deletedOutside === undefined ? { desired: actual } : { desired }),
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
