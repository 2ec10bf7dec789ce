import { valueAt } from '../../derive/value-at.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import type { Address } from '../../model/address.ts';
import type { Decision } from '../decide.ts';
import { specAfter } from '../written-specs.ts';
import type { ExchangedSecrets } from './access-differences.ts';
import { exchangedSecret, type ControlDifferences } from './control-differences.ts';

/** For each resource, what it means that this plan changes secrets that clients use, also if they cannot be read back. */
export function exchangedSecrets(changing: readonly Decision[]): ExchangedSecrets {
  const found = new Map<Address, readonly ControlDifferences[]>();
  for (const decision of changing) {
    const { pair, compared } = decision;
    const secrets = compared.changes.flatMap(({ path, before }) => {
      const [module = '', name = '', ...deeper] = path;
      const group = pair.kind.fields[module];
      const field = group?.is === 'group' && deeper.length === 0 ? group.fields[name] : undefined;
      const isPresented = field?.is === 'leaf' && field.presented === true;
      if (group?.is !== 'group' || !isPresented) return [];
      // Some services show no secret at all: then only state knows that there was one.
      if (before === undefined && valueAt(pair.entry?.spec, path) === undefined) return [];
      const isAsked = [pair.actual?.spec ?? {}, specAfter(decision)].every((spec) => isInEffect(group, spec[module]));
      return isAsked ? [exchangedSecret(`${module}.${String(name)}`)] : [];
    });
    if (secrets.length > 0) found.set(pair.address, secrets);
  }
  return found;
}
