import type { StackContext } from '../stack-context.ts';
import { refsIn } from '../../derive/references.ts';
import { kinds } from '../../kinds/index.ts';
import type { Account } from '../../model/actual.ts';
import { splitAddress } from '../../model/address.ts';
import { formerAddresses } from '../../model/resource.ts';
import { refresh, type RefreshOptions } from '../../refresh/refresh.ts';
import type { DesiredScope } from './load-desired.ts';
import type { Workspace } from '../workspace.ts';

// Of an account this large, a log says from time to time how far it is.
const itemsPerLine = 10_000;

/** How the account is to be looked at. */
export interface RefreshFlags {
  /** Believe that much of what state knows is gone. */
  readonly acceptMissing?: boolean;
  /** Keep the oldest of duplicates that nothing else tells apart, and delete the others. */
  readonly keepOldest?: boolean;
  /** The name that this stack had before: what carries it is ours. */
  readonly renameFrom?: string;
  /** Looks for all that manifests describe, though nothing of it is wanted: what an earlier run was told to be gone may be there. */
  readonly destroying?: boolean;
}

/** What decides which part of an account is looked at, and what of it is ours. */
export type RefreshScope = Pick<RefreshOptions, 'addresses' | 'wanted' | 'adopt' | 'formerly' | 'renameFrom'>;

/** Looks at the account for what the manifests want, and says on a terminal how far it is. */
export async function refreshStack(
  context: StackContext,
  { reader, stack, state, parallelism, isLocal }: Workspace,
  { desired, described }: DesiredScope,
  { acceptMissing, keepOldest, renameFrom, destroying }: RefreshFlags,
): Promise<Account> {
  try {
    return await refresh({
      client: reader,
      kinds,
      stack,
      state,
      parallelism,
      isLocal,
      ...refreshScope({ desired, described }, renameFrom === undefined ? {} : { renameFrom }),
      ...(destroying === true ? { wanted: new Set(described.map((address) => splitAddress(address).kind)) } : {}),
      ...(acceptMissing === undefined ? {} : { acceptMissing }),
      ...(keepOldest === undefined ? {} : { keepOldest }),
      onProgress: (seen) => {
        context.progress(`reading the account: ${seen}`);
        if (!context.io.terminal.err && seen % itemsPerLine === 0)
          context.log('info', `reading the account: ${seen.toLocaleString('en')} items so far`);
      },
    });
  } finally {
    context.progress('');
  }
}

/** What an account is looked at for: the addresses and kinds that manifests describe and refer to, and what they mean to adopt. */
export function refreshScope(
  { desired: { resources }, described }: Pick<DesiredScope, 'desired' | 'described'>,
  { renameFrom }: Pick<RefreshFlags, 'renameFrom'>,
): RefreshScope {
  const referred = resources.flatMap(({ spec }) => refsIn(spec)).map((address) => splitAddress(address).kind);
  return {
    addresses: described,
    ...(renameFrom === undefined ? {} : { renameFrom }),
    wanted: new Set([...resources.map(({ kind }) => kind), ...referred]),
    formerly: resources.flatMap(({ lifecycle }) => formerAddresses(lifecycle)),
    adopt: resources.flatMap(({ kind, lifecycle, spec }) => {
      if (lifecycle.adopt === undefined) return [];
      const within = kinds.named(kind)?.within;
      const parent = within === undefined ? undefined : spec[within.by];
      return [{ kind, id: lifecycle.adopt, ...(typeof parent === 'string' ? { parent } : {}) }];
    }),
  };
}
