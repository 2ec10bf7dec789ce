import { valueAt } from '../../derive/value-at.ts';
import { Ref, type SpecValue } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Desired } from '../../model/resource.ts';

/** The resources whose specs have values that the manifests of others set, where one of those is given; directly or through more of them. */
export function takersOf(given: Iterable<Address>, resources: readonly Desired[]): ReadonlySet<Address> {
  const open = [...given];
  if (open.length === 0) return new Set();
  const takers = new Map<Address, Address[]>();
  for (const { address, spec, references = [] } of resources)
    for (const { path, ref } of references)
      if (ref.output === undefined && !isLeftTo(ref, valueAt(spec, path))) addToGroup(takers, ref.to, address);
  const found = new Set<Address>();
  for (const address of open)
    for (const taker of takers.get(address) ?? []) {
      if (found.has(taker)) continue;
      found.add(taker);
      open.push(taker);
    }
  return found;
}

/** Whether the reference itself is the value still: then it is known to the service alone, and not what a manifest sets. */
function isLeftTo(ref: Ref, value: SpecValue | undefined): boolean {
  return value instanceof Ref && value.to === ref.to && value.field === ref.field && value.output === undefined;
}
