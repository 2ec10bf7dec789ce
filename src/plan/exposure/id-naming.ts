import type { Account } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Decision } from '../decide.ts';

/** Says the ids in a text by the addresses of their resources. */
export type IdNaming = (text: string) => string;

/** Names the resources of an account. One that is replaced is old by its id, and new by its address. */
export function idNaming(
  decisions: ReadonlyMap<Address, Decision>,
  { ours }: Account,
  externals: Readonly<Record<string, Address>> = {},
): IdNaming {
  const names = new Map(Object.entries(externals));
  for (const [address, { id }] of ours) names.set(id, address);
  for (const [address, { action, pair }] of decisions) {
    if (pair.actual !== undefined) names.set(pair.actual.id, address);
    if (pair.actual === undefined || !isReplacement(action)) continue;
    names.set(pair.actual.id, `the old ${address}`);
    names.set(address, `the new ${address}`);
  }
  return (text) =>
    text.replace(/[^\s(),`]+(?:, [^\s(),`]+)*/g, (list) => {
      const entries = list.split(', ');
      // Services list a set in any order.
      return entries.some((entry) => names.has(entry))
        ? entries
            .map((entry) => names.get(entry) ?? entry)
            .sort()
            .join(', ')
        : list;
    });
}
