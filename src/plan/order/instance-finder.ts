import type { Account } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, unmanagedInstance, type InstanceKey } from './plan-node.ts';

/** The instance of a resource that is there, by its id. */
export type InstanceOfId = (id: string) => InstanceKey;

/** Finds instances: those of this stack, also what the plan does not target, or else unmanaged ones. */
export function instanceFinder(
  decisions: ReadonlyMap<Address, Decision>,
  { ours }: Pick<Account, 'ours'>,
): InstanceOfId {
  // Computed on first use: only what is created inside something else needs it.
  let known: ReadonlyMap<string, InstanceKey> | undefined;
  return (id) => {
    known ??= new Map([
      ...[...ours].map(([address, actual]) => [actual.id, existingInstance(address)] as const),
      ...[...decisions.values()].flatMap(({ pair: { actual, address } }) =>
        actual === undefined ? [] : [[actual.id, existingInstance(address)] as const],
      ),
    ]);
    return known.get(id) ?? unmanagedInstance(id);
  };
}
