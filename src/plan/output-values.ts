import type { OutputSource } from '../kinds/value.ts';
import type { Account, Actual } from '../model/actual.ts';
import { groupBy } from '../model/group-by.ts';
import { markedAddress } from '../derive/marker.ts';

/** Finds resources of other stacks in the account, by their ownership markers; several where a resource was copied with its marker. */
export function outputResources({ foreign }: Pick<Account, 'foreign'>): (target: OutputSource) => readonly Actual[] {
  const marked = groupBy(foreign, ({ marker }) => (marker === undefined ? undefined : `${marker.s} ${marker.a}`));
  return ({ owner, address, formerly = [] }) => {
    for (const one of [address, ...formerly]) {
      const found = marked.get(`${owner} ${markedAddress(owner, one)}`);
      if (found !== undefined) return found;
    }
    return [];
  };
}
