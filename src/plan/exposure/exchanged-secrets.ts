import { isInEffect } from '../../kinds/in-effect.ts';
import type { Address } from '../../model/address.ts';
import type { Decision } from '../decide.ts';
import { specAfter } from '../written-specs.ts';
import { exchangedSecret, type ControlDifferences } from './control-differences.ts';
import { existingInstance, type InstanceKey } from '../order/plan-node.ts';

/** For each instance, what it means that this plan changes secrets that clients use, also if they cannot be read back. */
export function exchangedSecrets(
  decisions: ReadonlyMap<Address, Decision>,
): ReadonlyMap<InstanceKey, ControlDifferences> {
  const found = new Map<InstanceKey, ControlDifferences>();
  for (const decision of decisions.values()) {
    const { pair, compared, action } = decision;
    if (action === 'none') continue;
    const secrets = compared.changes.flatMap(({ path: [module = '', name = '', ...deeper], before }) => {
      const group = pair.kind.fields[module];
      const field = group?.is === 'group' && deeper.length === 0 ? group.fields[name] : undefined;
      const isPresented = field?.is === 'leaf' && field.presented === true;
      if (group?.is !== 'group' || !isPresented || before === undefined) return [];
      const isAsked = [pair.actual?.spec ?? {}, specAfter(decision)].every((spec) => isInEffect(group, spec[module]));
      return isAsked ? [exchangedSecret(`${module}.${String(name)}`)] : [];
    });
    if (secrets.length > 0)
      found.set(existingInstance(pair.address), {
        wider: secrets.flatMap(({ wider }) => wider),
        narrower: secrets.flatMap(({ narrower }) => narrower),
      });
  }
  return found;
}
