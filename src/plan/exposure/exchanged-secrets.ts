import { isSpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, type InstanceKey } from '../order/plan-node.ts';

/** For each instance, one sentence for each secret that clients use and that this plan changes, also if it cannot be read back. */
export function exchangedSecrets(
  decisions: ReadonlyMap<Address, Decision>,
): ReadonlyMap<InstanceKey, readonly string[]> {
  const found = new Map<InstanceKey, string[]>();
  for (const { pair, compared, action } of decisions.values()) {
    if (action === 'none') continue;
    const names = compared.changes.flatMap(({ path: [module = '', name = '', ...deeper], before }) => {
      const group = pair.kind.fields[module];
      const field = group?.is === 'group' && deeper.length === 0 ? group.fields[name] : undefined;
      const isPresented = field?.is === 'leaf' && field.presented === true;
      return isPresented && before !== undefined && isSpecObject(pair.actual?.spec[module])
        ? [`\`${module}.${String(name)}\` changes: signatures made with the old value are refused`]
        : [];
    });
    if (names.length > 0) found.set(existingInstance(pair.address), names);
  }
  return found;
}
