import type { StackContext } from '../stack-context.ts';
import { addressesIn } from '../../derive/references.ts';
import { kinds } from '../../kinds/index.ts';
import type { Account } from '../../model/actual.ts';
import { addressOf, splitAddress } from '../../model/address.ts';
import type { Desired } from '../../model/resource.ts';
import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import { present } from '../../model/present.ts';
import { everyFormerAddress } from '../../plan/every-former-address.ts';
import { refresh, type RefreshOptions } from '../../refresh/refresh.ts';
import type { DesiredScope } from './load-desired.ts';
import type { PlanningWorkspace } from '../workspace.ts';

// For an account with this many resources, progress is also logged.
const itemsPerLine = 10_000;

/** Options of a refresh. */
export interface RefreshFlags extends Pick<RefreshOptions, 'acceptMissing' | 'keepOldest' | 'renameFrom'> {
  /** Also reads resources that manifests define but this run deletes: some of them may still exist after an earlier run. */
  readonly destroying?: boolean;
  /** Reads every kind, whatever the manifests define. */
  readonly isWhole?: boolean;
}

const everyKind = new Set(kinds.all.map(({ name }) => name));

// An address that is not in state, so that resources that are not in state are read as well.
const onePerKind = kinds.all.map(({ name }) => addressOf(name, '?'));

/** Which part of the account is read, and which resources are ours. */
export type RefreshScope = Pick<
  RefreshOptions,
  'addresses' | 'wanted' | 'adopt' | 'parents' | 'formerly' | 'renameFrom'
>;

/** Refreshes the account as far as the manifests need it, and shows the progress on a terminal. */
export async function refreshStack(
  context: StackContext,
  { source, stack, state, parallelism, isLocal }: PlanningWorkspace,
  wanted: DesiredScope,
  { acceptMissing, keepOldest, renameFrom, destroying, isWhole }: RefreshFlags,
): Promise<Account> {
  const { desired, described } = wanted;
  const pause = yieldToLoop();
  const scope = refreshScope(wanted, present({ renameFrom }));
  await pause();
  try {
    return await refresh({
      source: source(desired),
      kinds,
      stack,
      state,
      parallelism,
      isLocal,
      ...scope,
      ...(destroying === true ? { wanted: new Set(described.map((address) => splitAddress(address).kind)) } : {}),
      ...(isWhole === true ? { wanted: everyKind, addresses: [...described, ...onePerKind] } : {}),
      ...present({ acceptMissing, keepOldest }),
      pause,
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

/** The scope of a refresh: the addresses and kinds that manifests define and refer to, and the ids to adopt. */
export function refreshScope(
  { desired, described, whole, compared = [] }: Pick<DesiredScope, 'desired' | 'described' | 'whole' | 'compared'>,
  { renameFrom }: Pick<RefreshFlags, 'renameFrom'>,
): RefreshScope {
  const { resources } = desired;
  const all = [...resources, ...compared.flatMap((one) => one.desired.resources)];
  const referred = all.flatMap(({ spec }) => addressesIn(spec)).map((address) => splitAddress(address).kind);
  return {
    addresses: [...described, ...compared.flatMap((one) => one.described)],
    ...(renameFrom === undefined ? {} : { renameFrom }),
    wanted: new Set([...all.map(({ kind }) => kind), ...referred]),
    formerly: everyFormerAddress(whole ?? resources, kinds),
    adopt: resources.flatMap((one) => {
      const { kind, lifecycle } = one;
      if (lifecycle.adopt === undefined) return [];
      const parent = parentWithId(one);
      return [{ kind, id: lifecycle.adopt, ...(parent === undefined ? {} : { parent: parent.id }) }];
    }),
    parents: resources.flatMap((one) => parentWithId(one) ?? []),
  };
}

/** What a manifest nests a resource in, where it has the id of that. */
export function parentWithId({
  kind,
  spec,
}: Pick<Desired, 'kind' | 'spec'>): { readonly kind: string; readonly id: string } | undefined {
  const within = kinds.named(kind)?.within;
  const id = within === undefined ? undefined : spec[within.by];
  return within === undefined || typeof id !== 'string' ? undefined : { kind: within.kind, id };
}
