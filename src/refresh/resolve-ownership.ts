import { isDeepStrictEqual } from 'node:util';
import { markedAddress, ownerOf, stackIdOf, stackNameOf } from '../derive/marker.ts';
import { offers } from '../derive/wire/operations.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { Refused } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import { inNaturalOrder } from '../model/natural-order.ts';
import type { Account, Actual, Marker } from '../model/actual.ts';
import { splitAddress, type Address } from '../model/address.ts';
import { ByInstance } from '../model/by-instance.ts';
import { emptyList } from '../model/empty.ts';
import { groupBy } from '../model/group-by.ts';
import { mapSliced, type Sliced } from '../model/sliced.ts';
import type { Stack } from '../model/stack.ts';
import type { Entry, State } from '../model/state.ts';
import type { ReadAccountOptions } from './read-account.ts';

/** What decides which stack owns a resource. */
export interface OwnershipOptions extends Pick<ReadAccountOptions, 'kinds' | 'stack' | 'state' | 'addresses'> {
  /** Former addresses of resources, according to the manifests. */
  readonly formerly: Iterable<Address>;
  /** The name that this stack had before. */
  readonly renameFrom?: string;
  /** Ids that manifests adopt: they decide between several resources of one address. */
  readonly adopt: ReadonlySet<string>;
  /** Of duplicates that state cannot decide between, the oldest is used (`--keep-oldest`). */
  readonly keepOldest?: boolean;
  /** The endpoints that are served now, if they are needed. */
  readonly served: readonly ServedEndpoint[];
}

/** The address of one resource: as recorded in state, and as its marker names it. */
interface Claim {
  readonly actual: Actual;
  readonly recorded: Address | undefined;
  readonly marked: Address | undefined;
}

/**
 * Finds the resources of this stack and gives each its address (decisions/0008, decisions/0009). If state and marker agree,
 * that is certain. If they differ, the marker is newer and wins, unless manifests want the address in state, and either not
 * that of the marker, or the resource had that before. A marker that cannot be written again is never newer: then state
 * wins. A resource with a marker and no entry in state is adopted if no other resource has the address; of several, the
 * one with a nonce that this stack has sent; otherwise a person decides.
 */
export function* resolveOwnership(
  seen: readonly Actual[],
  options: OwnershipOptions,
): Sliced<Pick<Account, 'ours' | 'foreign' | 'missing' | 'takenOver' | 'diagnostics' | 'duplicates' | 'deposed'>> {
  const { state, addresses, adopt, keepOldest } = options;
  const owner = ownerOf(options.stack);
  const diagnostics: Diagnostic[] = [];
  const ours = new Map<Address, Actual>();
  const foreign: Actual[] = [];
  const ofOthers = new Map<Address, Actual>();
  const duplicates: { address: Address; actual: Actual }[] = [];

  const isOfOurs = ({ actual, marked }: Claim): boolean => marked !== undefined && isNonceOfOurs(actual, marked, state);
  const rank = (claim: Claim): string => {
    const { id, computed } = claim.actual;
    return `${adopt.has(id) ? 0 : isOfOurs(claim) ? 1 : 2} ${createdAt(computed)} ${id}`;
  };
  const entries = Object.entries(state?.entries ?? {});
  const deposed = deposedIn(seen, entries, options, diagnostics);
  const left = new Set(deposed.map(({ actual }) => actual));
  const visible = seen.filter((actual) => !left.has(actual) && !isForgotten(actual, state));
  foreign.push(...seen.filter((actual) => isForgotten(actual, state)));
  yield;
  const loose: Claim[] = [];
  for (const claim of yield* claimsOf(visible, entries, options, diagnostics, ofOthers)) {
    const { recorded, marked, actual } = claim;
    if (recorded !== undefined && (marked ?? recorded) === recorded)
      ours.set(recorded, sharingTexts(actual, recorded, owner, state));
    else loose.push(claim);
  }
  const recordedCount = ours.size;
  yield;
  const ranked = yield* mapSliced(loose, (claim) => ({ claim, rank: rank(claim) }));
  const claims = ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ claim }) => claim);
  yield;

  for (const { recorded, marked, actual } of claims) {
    if (recorded === undefined || marked === undefined || recorded === marked) continue;
    const isOfBefore = state?.entries[recorded]?.formerAddresses?.includes(marked) === true;
    const isKept = !mayBeMarked(actual, options) || (addresses.has(recorded) && (isOfBefore || !addresses.has(marked)));
    const order = isKept ? [recorded, marked] : [marked, recorded];
    const address = order.find((free) => !ours.has(free));
    if (address !== undefined) ours.set(address, actual);
    else foreign.push(actual);
  }

  const unknown = claims.filter(({ recorded }) => recorded === undefined);
  foreign.push(...unknown.filter(({ marked }) => marked === undefined).map(({ actual }) => actual));
  const byAddress = groupBy(
    unknown.filter(({ marked }) => marked !== undefined),
    ({ marked = '' }) => marked,
  );
  const undecided = new Map<Address, readonly Actual[]>();
  for (const [address, found] of byAddress) {
    const known = ours.get(address);
    const first = known ?? found[0]?.actual;
    if (first === undefined) continue;
    const others = found.map(({ actual }) => actual).filter((actual) => actual !== first);
    const copies = others.filter((actual) => !isByMistake(actual, first, address, state));
    duplicates.push(...others.filter((actual) => !copies.includes(actual)).map((actual) => ({ address, actual })));
    const isDecided = known !== undefined || adopt.has(first.id) || isNonceOfOurs(first, address, state);
    if (!isDecided && keepOldest !== true && copies.length > 0) undecided.set(address, [first, ...copies]);
    for (const actual of copies) {
      const keptBecause =
        keepOldest === true ? whyNotDeleted(actual, options) : 'sluice deletes the duplicate only with --keep-oldest';
      if (keptBecause === undefined) duplicates.push({ address, actual });
      else {
        foreign.push(actual);
        diagnostics.push(duplicate(address, actual, first, keptBecause));
      }
    }
    if (known === undefined) ours.set(address, first);
  }
  if (undecided.size > 0) throw undecidedDuplicates(undecided);

  yield;
  if (state !== undefined) diagnostics.push(...addedToState([...ours].slice(recordedCount), state));
  const absent = entries.filter(([address, entry]) => !ours.has(address) && !isToBeAdopted(entry, address, options));
  const missing = absent.flatMap(([address]) => (ofOthers.has(address) ? [] : [address])).sort(inNaturalOrder);
  const takenOver = new Map([...ofOthers].filter(([address]) => !ours.has(address)));
  return { ours, foreign, duplicates, deposed, missing, takenOver, diagnostics };
}

/** The same resource. Its id and its marker are texts that state and the stack have too: 10,000 resources hold 1.4 MB less that way. */
function sharingTexts(actual: Actual, address: Address, owner: string, state: State | undefined): Actual {
  const { id, nonce } = state?.entries[address] ?? {};
  const { marker } = actual;
  if (nonce === undefined || marker?.n !== nonce || marker.s !== owner || marker.a !== address) return actual;
  return id === actual.id ? { ...actual, id, marker: { s: owner, a: address, p: marker.p, n: nonce } } : actual;
}

/** Whether an earlier run has forgotten the resource but could not remove its marker: only state shows that this stack no longer owns it. */
function isForgotten({ kind, id }: Actual, state: State | undefined): boolean {
  const forgotten = state?.forgotten;
  return forgotten !== undefined && Object.hasOwn(forgotten, id) && forgotten[id]?.kind === kind;
}

/** Old instances that a replacement has left behind, with their nested resources. */
function deposedIn(
  seen: readonly Actual[],
  entries: readonly (readonly [Address, Entry])[],
  options: OwnershipOptions,
  diagnostics: Diagnostic[],
): { readonly address: Address; readonly actual: Actual }[] {
  const { intents = {} } = options.state ?? {};
  const addressOf = new ByInstance<Address>();
  for (const [address, { kind, id, deposed = emptyList }] of entries) {
    for (const old of deposed) addressOf.set(kind, old, address);
    const nonces = intents[address]?.nonces ?? emptyList;
    // A run that crashed after creating the new instance and before deleting the old one: the new one is kept, so that it is not created twice.
    const isReplaced =
      nonces.length > 0 &&
      seen.some((one) => one.kind === kind && one.id !== id && nonces.includes(one.marker?.n ?? ''));
    if (isReplaced) addressOf.set(kind, id, address);
  }
  if (addressOf.isEmpty) return [];
  const direct = seen.flatMap((actual) => {
    const address = addressOf.get(actual.kind, actual.id);
    if (address === undefined) return [];
    if (isStillOurs(actual, address, options)) return [{ address, actual }];
    diagnostics.push(noLongerOurs(address, actual));
    return [];
  });
  const parents = new Set(direct.map(({ actual }) => actual.id));
  const listed = new Set(direct.map(({ actual }) => actual));
  const inside = seen.filter(
    (actual) =>
      parents.has(actual.parent ?? '') &&
      !listed.has(actual) &&
      actual.marker !== undefined &&
      stackIdOf(actual.marker) === options.stack.id,
  );
  return [...direct, ...inside.map((actual) => ({ address: actual.marker?.a ?? actual.kind, actual }))];
}

// A duplicate that a repeated creation makes is created while its run lasts.
const longestRunMs = 3_600_000;

/** Whether a repeated creation of this stack has made it, after an answer was lost: its nonce was sent for this address, and it is no copy of the resource, with the same marker, that someone made at another time. */
function isByMistake(actual: Actual, ours: Actual, address: Address, state: State | undefined): boolean {
  const isSame = ours.marker?.n === actual.marker?.n;
  const apart = isSame ? Math.abs(Date.parse(createdAt(actual.computed)) - Date.parse(createdAt(ours.computed))) : 0;
  return !(apart > longestRunMs) && isNonceOfOurs(actual, address, state);
}

/** Whether its nonce is one that this stack has sent for the address, according to state. */
function isNonceOfOurs({ marker }: Actual, address: Address, state: State | undefined): boolean {
  const entry = state?.entries[address];
  const sent = [entry?.nonce, ...(entry?.formerNonces ?? []), ...(state?.intents?.[address]?.nonces ?? [])];
  return marker !== undefined && marker.n !== '' && sent.includes(marker.n);
}

/** The creation time as the service returns it; empty if it does not. */
function createdAt({ created_at: time }: Actual['computed']): string {
  return typeof time === 'string' ? time : '';
}

/** Why a duplicate is not deleted even with --keep-oldest; undefined if it is deleted. */
function whyNotDeleted({ id, marker }: Actual, { served }: OwnershipOptions): string | undefined {
  if (marker?.p.includes('p') === true) return 'the duplicate is protected, so sluice does not delete it';
  if (served.some(({ server }) => server === id))
    return 'the duplicate serves a hostport, so sluice does not delete it';
  return undefined;
}

function claimsOf(
  seen: readonly Actual[],
  entries: readonly (readonly [Address, Entry])[],
  options: OwnershipOptions,
  diagnostics: Diagnostic[],
  takenOver: Map<Address, Actual>,
): Sliced<Claim[]> {
  const { stack, state, addresses, formerly, renameFrom = stack.name } = options;
  const owners = [...new Set([stack.name, renameFrom])].map((name) => ownerOf({ ...stack, name }));
  const recorded = new ByInstance<Address>();
  for (const [address, entry] of entries)
    if (!isToBeAdopted(entry, address, options)) recorded.set(entry.kind, entry.id, address);
  let byMark: ReadonlyMap<string, Address> | undefined;
  const addressIn = (marked: string): Address => {
    const hashed = /^(\w+)#([0-9a-f]{16})$/.exec(marked);
    if (hashed === null) return marked;
    byMark ??= knownByHash();
    return byMark.get(marked) ?? `${hashed[1] ?? ''}/#${hashed[2] ?? ''}`;
  };

  return mapSliced(seen, (actual): Claim => {
    const { marker } = actual;
    const address = recorded.get(actual.kind, actual.id);
    if (marker === undefined) return { actual, recorded: address, marked: undefined };
    if (!owners.includes(marker.s)) {
      // A marker that cannot be written again still has the former name of the stack, or that of the stack it was adopted from.
      if (address !== undefined && !mayBeMarked(actual, options))
        return { actual, recorded: address, marked: undefined };
      if (stackIdOf(marker) === stack.id) throw underAnotherName(marker, stack, actual);
      if (address !== undefined) takenOver.set(address, actual);
      return { actual, recorded: undefined, marked: undefined };
    }
    const marked = addressIn(marker.a);
    if (splitAddress(marked).kind === actual.kind) return { actual, recorded: address, marked };
    diagnostics.push(copied(actual, marker.a));
    return { actual, recorded: address, marked: undefined };
  });

  /** The known addresses that do not fit into a marker, by their hashes. */
  function knownByHash(): ReadonlyMap<string, Address> {
    const intended = Object.keys(state?.intents ?? {});
    const known = new Set([...addresses, ...formerly, ...intended, ...entries.map(([address]) => address)]);
    return new Map(
      owners.flatMap((owner) =>
        [...known].flatMap((address): [string, Address][] => {
          const marked = markedAddress(owner, address);
          return marked === address ? [] : [[marked, address]];
        }),
      ),
    );
  }
}

/** Whether manifests decide what becomes of an adoption that is not completed; without them, it is released. */
function isToBeAdopted({ adopting, id }: Entry, address: Address, { addresses, adopt }: OwnershipOptions): boolean {
  return adopting === true && (addresses.has(address) || adopt.has(id));
}

/**
 * Whether an old instance is to be deleted: another stack may have adopted it, and even released it since. Only state tells that of a
 * resource whose marker cannot be written, and of one that was the resource of its address until now.
 */
function isStillOurs(actual: Actual, address: Address, options: OwnershipOptions): boolean {
  const { marker, unmarkable } = actual;
  if (!mayBeMarked(actual, options)) return true;
  if (marker === undefined && options.state?.entries[address]?.id === actual.id) return true;
  return marker === undefined ? unmarkable === true || !options.stack.marker : stackIdOf(marker) === options.stack.id;
}

/** Whether the marker of a resource can be written again. */
function mayBeMarked({ kind: name }: Actual, { kinds, stack }: OwnershipOptions): boolean {
  const kind = kinds.named(name);
  return kind === undefined || offers(kind, stack.profile).update;
}

function addedToState(ours: readonly (readonly [Address, Actual])[], { entries }: State): Diagnostic[] {
  return ours.flatMap(([address, { kind, id }]): Diagnostic[] => {
    const entry = entries[address];
    if (entry?.id === id) return [];
    const instead =
      entry === undefined
        ? 'the state did not contain the resource'
        : `the state contained the id ${safeText(entry.id, 80)}`;
    const message = `${kind} ${safeText(id, 80)} was adopted because it has the ownership marker of ${address}; ${instead}`;
    return [{ code: 'ADOPTED_BY_MARKER', severity: 'note', address, message }];
  });
}

function noLongerOurs(address: Address, actual: Actual): Diagnostic {
  const message = `${what(actual)}, an old instance of ${safeText(address, 200)}, no longer has the ownership marker of this stack; sluice does not delete it`;
  return { code: 'OLD_INSTANCE_NOT_OWNED', severity: 'note', address, message };
}

function underAnotherName(marker: Marker, { name, id }: Stack, actual: Actual): Refused {
  const other = safeText(stackNameOf(marker), 80);
  return new Refused(
    'STACK_ID_IN_USE',
    `${what(actual)} belongs to the stack ${other}, which has the same id ${id} as this stack, ${name}`,
    {
      hint: `if this stack is a copy of ${other}, run \`sluice init --new-id\`; if this stack was renamed, run \`sluice apply --rename-from ${other}\` first`,
    },
  );
}

function undecidedDuplicates(undecided: ReadonlyMap<Address, readonly Actual[]>): Refused {
  const details = [...undecided].map(
    ([address, found]) => `${safeText(address, 200)}: ${found.map((one) => facts(one, found[0])).join(', ')}`,
  );
  details.sort();
  return new Refused(
    'DUPLICATES',
    'several resources have the ownership marker of one address, and the state contains none of these resources',
    {
      details,
      hint: 'set lifecycle.adopt in each manifest to the id of the resource to keep, or pass --keep-oldest to keep the oldest and delete the others',
    },
  );
}

function duplicate(address: Address, actual: Actual, ours: Actual, keptBecause: string): Diagnostic {
  const message = `${facts(actual, ours)} has the same ownership marker as ${safeText(ours.id, 80)}, the resource in use; ${keptBecause}`;
  return { code: 'DUPLICATE_RESOURCE', severity: 'warning', address, message };
}

/** What distinguishes duplicates for a person: id, age, and the names of the fields that differ. */
function facts(actual: Actual, other: Actual | undefined): string {
  const names = [...new Set([...Object.keys(actual.spec), ...Object.keys(other?.spec ?? {})])];
  const differing = names.filter((name) => !isDeepStrictEqual(actual.spec[name] ?? null, other?.spec[name] ?? null));
  const created = createdAt(actual.computed);
  const parts = [
    ...(created === '' ? [] : [`created ${safeText(created, 40)}`]),
    ...(differing.length === 0 ? [] : [`differs in ${differing.join(', ')}`]),
  ];
  return `${what(actual)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
}

function copied(actual: Actual, address: string): Diagnostic {
  const message = `${what(actual)} has the ownership marker of ${safeText(address, 200)}, which has another kind; sluice ignores the marker`;
  return { code: 'MARKER_MISMATCH', severity: 'warning', message };
}

function what({ kind, id }: Actual): string {
  return `${kind} ${safeText(id, 80)}`;
}
