import { addToGroup } from '../../model/group-by.ts';
import { idsIn } from '../../derive/references.ts';
import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Sliced } from '../../model/sliced.ts';
import type { PlanInput } from '../../plan/input.ts';

/** Which resources depend on which, in the account. */
export interface Dependents {
  /** One of these addresses that refers to the changed resource, or is its child. */
  readonly of: (change: Pick<Change, 'address' | 'id'>, among: ReadonlySet<Address>) => Address | undefined;
}

/** Finds the dependents of every resource in the account. */
export function* findDependents({ account, kinds }: PlanInput): Sliced<Dependents> {
  const users = new Map<string, Address[]>();
  for (const [address, { kind: name, spec }] of account.ours) {
    yield;
    const kind = kinds.named(name);
    // A child has the id of its parent in its spec.
    for (const { id } of kind === undefined ? [] : idsIn(kind, spec)) addToGroup(users, id, address);
  }
  return { of: ({ address, id = '' }, among) => users.get(id)?.find((one) => one !== address && among.has(one)) };
}
