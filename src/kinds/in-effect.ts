import { isEnabled } from './checks.ts';
import type { Field, Group } from './kind.ts';
import type { SpecObject, SpecValue } from './value.ts';

/** Whether a module is there, enabled, and has what it needs to refuse anybody. A list that the service does not show counts as given. */
export function isInEffect({ inEffectWith }: Group, module: SpecValue | undefined): module is SpecObject {
  if (!isEnabled(module)) return false;
  const list = inEffectWith === undefined ? undefined : module[inEffectWith];
  return list !== null && !(Array.isArray(list) && list.length === 0);
}

/** Whether a field asks who sends a request, and does so with what it holds. */
export function controlsAccess(field: Field, value: SpecValue | undefined): boolean {
  return field.is === 'group' && field.accessControl !== undefined && isInEffect(field, value);
}
