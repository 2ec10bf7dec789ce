import { kinds } from '../kinds/index.ts';
import type { Account } from '../model/actual.ts';
import type { State } from '../model/state.ts';
import { refresh, type RefreshOptions } from '../refresh/refresh.ts';
import { serviceSource } from '../refresh/service-source.ts';
import type { Workspace } from '../stack/workspace.ts';

/** Reads a part of the account, for a command that plans nothing. */
export function readPart(
  { reader, stack, parallelism, isLocal }: Pick<Workspace, 'reader' | 'stack' | 'parallelism' | 'isLocal'>,
  part: Pick<RefreshOptions, 'state' | 'wanted' | 'addresses'> & Partial<RefreshOptions>,
): Promise<Account> {
  return refresh({ source: serviceSource(reader, kinds), kinds, stack, parallelism, isLocal, ...part });
}

/** What a state has of some kinds, and of what is nested in them. */
export function stateOf(state: State, roots: ReadonlySet<string>): State {
  const isOfThem = ([, { kind }]: readonly [string, { readonly kind: string }]): boolean =>
    roots.has(kinds.outermost(kind));
  const [entries, intents] = [Object.entries(state.entries), Object.entries(state.intents ?? {})];
  return {
    ...state,
    entries: Object.fromEntries(entries.filter(isOfThem)),
    intents: Object.fromEntries(intents.filter(isOfThem)),
  };
}
