import { addToGroup } from '../../model/group-by.ts';
import { idsIn } from '../../derive/references.ts';
import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Sliced } from '../../model/sliced.ts';
import type { PlanInput } from '../../plan/input.ts';

/** Finds which resources depend on which in the account: one of some addresses that refers to a changed resource, or is its child. */
export function* findDependents({
  account,
  kinds,
}: PlanInput): Sliced<(change: Pick<Change, 'address' | 'id'>, among: ReadonlySet<Address>) => Address | undefined> {
  const users = new Map<string, Address[]>();
  for (const [address, { kind: name, spec }] of account.ours) {
    yield;
    const kind = kinds.named(name);
    // A child has the id of its parent in its spec.
    for (const { id } of kind === undefined ? [] : idsIn(kind, spec)) addToGroup(users, id, address);
  }
  return ({ address, id = '' }, among) => users.get(id)?.find((one) => one !== address && among.has(one));
}
