import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Kind } from '../kinds/kind.ts';
import { parentIn } from '../kinds/parent-in.ts';
import { Ref, type SpecObject } from '../kinds/value.ts';
import { canonicalKey } from '../derive/canonical.ts';
import { compare, type Compared } from '../derive/compare.ts';
import { refsAndSecretsIn, resolveRefs } from '../derive/references.ts';
import type { Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { emptyList } from '../model/empty.ts';
import { groupBy } from '../model/group-by.ts';
import { mapSliced, type Sliced } from '../model/sliced.ts';
import { sortByAddress } from '../model/sort-by-address.ts';
import type { Entry } from '../model/state.ts';
import type { Desired } from '../model/resource.ts';
import type { Match, PlanInput } from './input.ts';
import { leftoverText } from './leftover-text.ts';
import { movesOf } from './moves.ts';
import { otherOwner } from './other-owner.ts';

/** Matches desired with actual resources: by `moved_from` and address, then by `adopt`, and equal keys inside one parent (decisions/0033). */
export function* matchResources(input: PlanInput): Sliced<{
  readonly pairs: readonly Match[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const diagnostics: Diagnostic[] = [];
  const left = new Map(input.account.ours);
  const bound = new Map<Address, Found>();
  const wanted = yield* sortByAddress(input.desired.resources);

  const bind = (desired: Desired, from: Address | undefined): void => {
    const actual = from === undefined ? undefined : left.get(from);
    if (from === undefined || actual?.kind !== desired.kind || bound.has(desired.address)) return;
    bound.set(desired.address, { actual, from });
    left.delete(from);
  };
  yield;
  const moves = movesOf(wanted, input);
  diagnostics.push(...moves.diagnostics);
  yield;
  for (const desired of wanted) bind(desired, moves.from.get(desired.address) ?? desired.address);
  const adopters = new Map<string, Address>();
  const adoptable = adoptableIn(input);
  for (const desired of wanted) {
    const id = desired.lifecycle.adopt;
    if (id === undefined || bound.has(desired.address)) continue;
    const found = adoptable(desired, id, adopters.get(id));
    if ('actual' in found) {
      bound.set(desired.address, { ...found, from: desired.address, adopted: true });
      adopters.set(id, desired.address);
    } else diagnostics.push(found);
  }
  const unbound = wanted.filter(({ address }) => !bound.has(address));
  const byKey = leftByKey(left, unbound, input);
  for (const desired of unbound) bind(desired, byKey.get(keyOfDesired(desired, bound, input) ?? ''));

  yield;
  const takenBack = takeBack(wanted, bound, input);
  const entryOf = entriesIn(input);
  const pairs = yield* mapSliced(wanted, (desired) => pairOf(desired, bound.get(desired.address), entryOf, input));
  const add = (address: Address, actual: Actual, facts: Partial<Match>): void => {
    const kind = input.kinds.named(actual.kind);
    if (kind !== undefined) pairs.push({ address, kind, refsAndSecrets: emptyList, actual, ...facts });
  };
  for (const [address, actual] of left) {
    const entry = entryOf(actual, address);
    add(address, actual, entry === undefined ? {} : { entry });
  }
  for (const { address, actual } of [...(input.account.duplicates ?? []), ...takenBack.values()])
    add(`${address} (duplicate ${actual.id})`, actual, { cleanup: 'duplicate' });
  for (const { address, actual } of input.account.deposed ?? [])
    if (!takenBack.has(actual)) add(`${address} (deposed ${actual.id})`, actual, { cleanup: 'deposed' });
  // What is wanted is in order already.
  const sorted = pairs.length === wanted.length ? pairs : yield* sortByAddress(pairs);
  return { pairs: sorted, diagnostics };
}

interface Found {
  readonly actual: Actual;
  readonly from: Address;
  readonly adopted?: boolean;
}

/**
 * Takes back old instances that an unfinished run was replacing, where the manifests want the old one again: the old one is
 * as they have it, and the new one would have to be replaced in turn. Changes `bound`, and returns the new instances by the old ones.
 */
function takeBack(
  wanted: readonly Desired[],
  bound: Map<Address, Found>,
  input: PlanInput,
): ReadonlyMap<Actual, { readonly address: Address; readonly actual: Actual }> {
  const { account, kinds } = input;
  const taken = new Map<Actual, { readonly address: Address; readonly actual: Actual }>();
  const old = groupBy(account.deposed ?? [], ({ address }) => address);
  if (old.size === 0) return taken;
  const idOf = (address: Address): string | undefined => (bound.get(address)?.actual ?? account.ours.get(address))?.id;
  for (const desired of wanted) {
    const kind = kinds.named(desired.kind);
    const found = bound.get(desired.address);
    const before = found === undefined ? undefined : old.get(found.from);
    if (kind === undefined || found === undefined || before === undefined) continue;
    // What contains others would have to be taken back with them; without a marker, only state tells of the new one.
    if (kinds.within(kind.name).length > 0 || found.actual.marker === undefined) continue;
    const differences = ({ spec }: Actual): Compared['changes'] =>
      compare(kind.fields, resolveRefs(desired.spec, idOf), spec, {
        entry: undefined,
        ignore: desired.lifecycle.ignore ?? [],
        digest: input.digest,
        profile: input.stack.profile,
      }).changes;
    const first = before.find(({ actual }) => actual.kind === kind.name && differences(actual).length === 0)?.actual;
    if (first === undefined || !differences(found.actual).some(({ immutable }) => immutable)) continue;
    taken.set(first, { address: desired.address, actual: found.actual });
    bound.set(desired.address, { ...found, actual: first });
  }
  return taken;
}

type EntryOf = (actual: Actual, address: Address) => Entry | undefined;

/** Finds what state has of a resource: after a rename that was interrupted, under another address than its marker. */
function entriesIn(input: PlanInput): EntryOf {
  let entries: ReadonlyMap<string, Entry> | undefined;
  return (actual, address) => {
    const own = entryFor(actual, address, input);
    if (own !== undefined) return own;
    entries ??= new Map(Object.values(input.state?.entries ?? {}).map((entry) => [instanceOf(entry), entry]));
    return entries.get(instanceOf(actual));
  };
}

function pairOf(desired: Desired, found: Found | undefined, entryOf: EntryOf, input: PlanInput): Match {
  const kind = input.kinds.named(desired.kind);
  if (kind === undefined) throw new TypeError(`unknown kind ${desired.kind}`);
  const entry = found && entryOf(found.actual, found.from);
  return {
    address: desired.address,
    kind,
    desired,
    refsAndSecrets: refsAndSecretsIn(desired.spec),
    ...(found === undefined ? {} : { actual: found.actual }),
    ...(entry === undefined ? {} : { entry }),
    ...(found === undefined || found.from === desired.address ? {} : { movedFrom: found.from }),
    ...(found?.adopted === true || isAdopting(entry, desired) ? { adopted: true } : {}),
  };
}

/** Whether an earlier run has begun to adopt the resource, and has not completed that. */
function isAdopting(entry: Entry | undefined, { lifecycle }: Desired): boolean {
  return entry?.adopting === true && lifecycle.adopt === entry.id;
}

/** The entry of an address, if it is about this resource. An entry for a deleted resource does not apply to its replacement. */
export function entryFor(actual: Actual | undefined, address: Address, { state }: PlanInput): Entry | undefined {
  const entry = state?.entries[address];
  return entry !== undefined && entry.id === actual?.id ? entry : undefined;
}

/** Finds what manifests adopt, or says why they cannot. By kind and id, since a whole account may be adopted at once. */
function adoptableIn({
  account,
  stack,
}: PlanInput): (desired: Desired, id: string, adopter: Address | undefined) => { actual: Actual } | Diagnostic {
  let foreign: ReadonlyMap<string, Actual> | undefined;
  let ours: ReadonlyMap<string, Address> | undefined;
  return (desired, id, adopter) => {
    const about = { severity: 'error', address: desired.address, place: desired.place } as const;
    if (adopter !== undefined)
      return { ...about, code: 'DUPLICATE_ADOPTION', message: `${id} is also adopted by the manifest of ${adopter}` };
    foreign ??= new Map(account.foreign.map((actual) => [instanceOf(actual), actual]));
    ours ??= new Map([...account.ours].map(([address, actual]) => [instanceOf(actual), address]));
    const actual = foreign.get(instanceOf({ kind: desired.kind, id }));
    const known = ours.get(instanceOf({ kind: desired.kind, id }));
    if (known !== undefined)
      return {
        ...about,
        code: 'ADOPT_ALREADY_MANAGED',
        message: `${id} is already managed by this stack as ${known}`,
        hint: `to rename the resource, set lifecycle.moved_from: ${known}`,
      };
    const leftover = leftoverText({ kind: desired.kind, id }, account);
    if (leftover !== undefined)
      return {
        ...about,
        code: 'ADOPT_ALREADY_MANAGED',
        message: `cannot adopt ${id}: it is ${leftover}, which apply deletes`,
        hint: 'to keep the resource, first remove the key `sluice` from its metadata in the service; to let apply delete it, remove lifecycle.adopt',
      };
    if (actual === undefined)
      return { ...about, code: 'ADOPT_NOT_FOUND', message: `cannot adopt ${id}: no ${desired.kind} has this id` };
    const owner = otherOwner(actual.marker, stack);
    if (owner === undefined || owner.id === desired.lifecycle.adopt_from) return { actual };
    return {
      ...about,
      code: 'ADOPT_OWNED_BY_OTHER_STACK',
      message: `${id} belongs to the stack ${owner.text}`,
      hint: `if that stack no longer manages the resource, set lifecycle.adopt_from: ${owner.id}`,
    };
  };
}

function instanceOf({ kind, id }: Pick<Actual, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** Unmatched nested resources, by their key in the parent; none where no manifest needs one. */
function leftByKey(
  left: ReadonlyMap<Address, Actual>,
  unbound: readonly Desired[],
  { kinds }: PlanInput,
): Map<string, Address> {
  const searched = new Set(unbound.map(({ kind }) => kind));
  return new Map(
    [...left].reverse().flatMap(([address, actual]): [string, Address][] => {
      const kind = searched.has(actual.kind) ? kinds.named(actual.kind) : undefined;
      const key = kind === undefined ? undefined : keyInParent(kind, actual.parent, actual.spec);
      return key === undefined ? [] : [[key, address]];
    }),
  );
}

function keyOfDesired(desired: Desired, bound: ReadonlyMap<Address, Found>, input: PlanInput): string | undefined {
  const { kinds, account } = input;
  const kind = kinds.named(desired.kind);
  const parent = parentIn(kind, desired.spec);
  const id = parent instanceof Ref ? (bound.get(parent.to)?.actual ?? account.ours.get(parent.to))?.id : parent;
  return kind === undefined || typeof id !== 'string' ? undefined : keyInParent(kind, id, desired.spec);
}

/** The key of a nested resource among the others in its parent. */
function keyInParent(kind: Kind, parent: string | undefined, spec: SpecObject): string | undefined {
  const field = kind.within === undefined ? undefined : kind.fields[kind.within.key];
  if (kind.within === undefined || field === undefined || parent === undefined) return undefined;
  return JSON.stringify([kind.name, parent, canonicalKey(field, spec[kind.within.key] ?? null)]);
}
