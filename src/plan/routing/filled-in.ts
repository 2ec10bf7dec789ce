import { isUnsetValue } from '../../derive/canonical.ts';
import { valueAt } from '../../derive/value-at.ts';
import type { Field } from '../../kinds/kind.ts';
import type { RoutingNode } from './routing-model.ts';

/** Whether the service fills in a field: what was applied leaves it out, and the default is not known. */
export function isFilledIn({ applied }: Pick<RoutingNode, 'applied'>, field: Field, path: readonly string[]): boolean {
  if (applied === undefined || field.is !== 'leaf' || field.default !== undefined) return false;
  return isUnsetValue(field, valueAt(applied, path));
}
