import { isUnsetValue } from '../../derive/canonical.ts';
import { pointerOf } from '../../derive/pointer.ts';
import { isAsFilledIn } from '../../derive/stored/filled-in-limits.ts';
import { valueAt } from '../../derive/value-at.ts';
import type { Field } from '../../kinds/kind.ts';
import type { RoutingNode } from './routing-model.ts';

// What was applied to a node, and what the service has filled in.
type Applied = Pick<RoutingNode, 'spec' | 'applied' | 'filledIn'>;

/** Whether the service fills in a field: what was applied leaves it out, and it has the value that the service showed then, or else the default is not known. */
export function isFilledIn({ spec, applied, filledIn = {} }: Applied, field: Field, path: readonly string[]): boolean {
  if (applied === undefined || field.is !== 'leaf' || !isUnsetValue(field, valueAt(applied, path))) return false;
  const shown = filledIn[pointerOf(path)];
  return shown === undefined ? field.default === undefined : isAsFilledIn(field, valueAt(spec, path), shown);
}
