import { isUnsetValue } from '../../derive/canonical.ts';
import type { Field } from '../../kinds/kind.ts';
import { isSpecObject } from '../../kinds/value.ts';
import type { RoutingNode } from './routing-model.ts';

/** Whether the service fills in a field: what was applied leaves it out, and the default is not known. */
export function isFilledIn({ applied }: Pick<RoutingNode, 'applied'>, field: Field, path: readonly string[]): boolean {
  if (applied === undefined || field.is !== 'leaf' || field.default !== undefined) return false;
  let value: unknown = applied;
  for (const name of path) value = isSpecObject(value) ? value[name] : undefined;
  return isUnsetValue(field, value as Parameters<typeof isUnsetValue>[1]);
}
