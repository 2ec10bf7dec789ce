import { safeText } from '../diagnostics/safe-text.ts';
import type { Account, Actual } from '../model/actual.ts';

/** What a leftover of this stack is, in words, such as `an old instance of Kind/name`; undefined for what is none. */
export function leftoverText(
  { kind, id }: Pick<Actual, 'kind' | 'id'>,
  { deposed = [], duplicates = [] }: Pick<Account, 'deposed' | 'duplicates'>,
): string | undefined {
  const ownerIn = (list: typeof deposed): string | undefined =>
    list.find(({ actual }) => actual.kind === kind && actual.id === id)?.address;
  const [replacedBy, original] = [ownerIn(deposed), ownerIn(duplicates)];
  if (replacedBy !== undefined) return `an old instance of ${safeText(replacedBy, 200)}`;
  return original === undefined ? undefined : `a duplicate of ${safeText(original, 200)}`;
}
