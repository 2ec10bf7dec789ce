import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { Refused } from '../diagnostics/errors.ts';
import type { Account, Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { inSlices } from '../model/sliced.ts';
import type { Entry } from '../model/state.ts';
import { readAccount, type ReadAccountOptions } from './read-account.ts';
import { resolveOwnership } from './resolve-ownership.ts';

/** What to read from the account. */
export interface RefreshOptions extends Omit<ReadAccountOptions, 'addresses'> {
  /** Every address that manifests describe. */
  readonly addresses: Iterable<Address>;
  /** Former addresses of resources, according to the manifests. */
  readonly formerly?: Iterable<Address>;
  /** The name that this stack had before (`--rename-from`). */
  readonly renameFrom?: string;
  /** Accepts that many resources in state no longer exist (`--accept-missing`). */
  readonly acceptMissing?: boolean;
  /** Keeps the oldest of duplicates, and has the others deleted (`--keep-oldest`). */
  readonly keepOldest?: boolean;
  /** The service is embedded or on this machine, where an empty account is normal. */
  readonly isLocal?: boolean;
}

/** Reads the account and finds the resources of this stack. Any error while reading is thrown: a partial result is not used. */
export async function refresh(options: RefreshOptions): Promise<Account> {
  const { state, formerly = [], adopt = [], keepOldest = false } = options;
  const addresses = new Set(options.addresses);
  const { seen, complete, ...rest } = await readAccount({ ...options, addresses });
  const served = rest.served ?? (keepOldest ? await options.source.endpoints() : []);
  const ids = new Set(adopt.map(({ id }) => id));
  const resolved = resolveOwnership(seen, { ...options, addresses, formerly, adopt: ids, served });
  const { diagnostics, ...owned } = await inSlices(resolved, options.pause);
  // A kind that this version does not know was not read, so it is not missing either.
  const missing = owned.missing.filter((address) => complete.has(state?.entries[address]?.kind ?? ''));
  return { ...owned, missing, complete, ...rest, diagnostics: [...diagnostics, ...looksEmpty(seen, missing, options)] };
}

const whyOnlyAWarning =
  'apply creates the resources again; this is allowed because the service is on this machine; with a remote service, --accept-missing is required';

// If at least three, and at least half, of the resources in state are missing, the account or key is probably wrong (decisions/0009).
function looksEmpty(seen: readonly Actual[], missing: readonly Address[], options: RefreshOptions): Diagnostic[] {
  const { state, acceptMissing, isLocal } = options;
  if (state === undefined || acceptMissing === true || missing.length < 3) return [];
  const live = new Set(seen.map(({ kind, id }) => `${kind} ${id}`));
  const isKept = ({ deleting }: Entry): boolean => deleting !== true;
  const gone = missing.filter((address) => {
    const entry = state.entries[address];
    return entry !== undefined && isKept(entry) && !live.has(`${entry.kind} ${entry.id}`);
  });
  const all = Object.values(state.entries).filter(isKept).length;
  if (gone.length < 3 || gone.length * 2 < all) return [];
  const message = `${gone.length} of the ${all} resources in state no longer exist in the account`;
  if (isLocal === true)
    return [{ code: 'MANY_RESOURCES_MISSING', severity: 'warning', message, hint: whyOnlyAWarning }];
  throw new Refused('MANY_RESOURCES_MISSING', message, {
    hint: 'check api.base_url and the API key; if the resources were deleted on purpose, use --accept-missing',
  });
}
