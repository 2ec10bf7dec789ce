import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { Ref } from '../kinds/value.ts';
import { stackIdOf } from '../derive/marker.ts';
import { meaning } from '../derive/canonical.ts';
import type { Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import type { Entry } from '../model/state.ts';
import type { Desired } from '../model/resource.ts';
import type { Pair, PlanInput } from './input.ts';

/** Puts what is wanted beside what is there: by address, then by `moved_from`, `adopt`, and equal keys inside one parent (rulings 11). */
export function pairUp(input: PlanInput): {
  readonly pairs: readonly Pair[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const left = new Map(input.account.ours);
  const bound = new Map<Address, { actual: Actual; from: Address; adopted?: boolean }>();
  const wanted = [...input.desired.resources].sort((a, b) => (a.address < b.address ? -1 : 1));

  const bind = (desired: Desired, from: Address | undefined): void => {
    const actual = from === undefined ? undefined : left.get(from);
    if (from === undefined || actual?.kind !== desired.kind || bound.has(desired.address)) return;
    bound.set(desired.address, { actual, from });
    left.delete(from);
  };
  for (const desired of wanted) bind(desired, desired.address);
  for (const desired of wanted) bind(desired, desired.lifecycle.moved_from);
  for (const desired of wanted) {
    const id = desired.lifecycle.adopt;
    if (id === undefined || bound.has(desired.address)) continue;
    const found = adoptable(desired, id, input);
    if ('actual' in found) bound.set(desired.address, { ...found, from: desired.address, adopted: true });
    else diagnostics.push(found);
  }
  for (const desired of wanted) if (!bound.has(desired.address)) bind(desired, sameKey(desired, left, bound, input));

  const pairs = wanted.map((desired): Pair => pairOf(desired, bound.get(desired.address), input));
  for (const [address, actual] of left) {
    const kind = input.kinds.named(actual.kind);
    const entry = rememberedOf(actual, address, input);
    if (kind !== undefined) pairs.push({ address, kind, actual, ...(entry === undefined ? {} : { entry }) });
  }
  return { pairs: pairs.sort((a, b) => (a.address < b.address ? -1 : 1)), diagnostics };
}

function pairOf(
  desired: Desired,
  found: { actual: Actual; from: Address; adopted?: boolean } | undefined,
  input: PlanInput,
): Pair {
  const kind = input.kinds.named(desired.kind);
  if (kind === undefined) throw new TypeError(`no kind named ${desired.kind}`);
  const entry = rememberedOf(found?.actual, found?.from ?? desired.address, input);
  return {
    address: desired.address,
    kind,
    desired,
    ...(found === undefined ? {} : { actual: found.actual }),
    ...(entry === undefined ? {} : { entry }),
    ...(found === undefined || found.from === desired.address ? {} : { movedFrom: found.from }),
    ...(found?.adopted === true ? { adopted: true } : {}),
  };
}

/** What is remembered under an address, if it is of this very resource: of one that is gone it says nothing about another. */
function rememberedOf(actual: Actual | undefined, address: Address, { state }: PlanInput): Entry | undefined {
  const entry = state?.entries[address];
  return entry !== undefined && entry.id === actual?.id ? entry : undefined;
}

function adoptable(desired: Desired, id: string, { account, stack }: PlanInput): { actual: Actual } | Diagnostic {
  const actual = account.foreign.find((other) => other.kind === desired.kind && other.id === id);
  const about = { severity: 'error', address: desired.address, place: desired.place } as const;
  if (actual === undefined)
    return { ...about, code: 'ADOPT_NOT_FOUND', message: `there is no ${desired.kind} with the id ${id} to adopt` };
  const owner = actual.marker === undefined ? undefined : stackIdOf(actual.marker);
  if (owner === undefined || owner === stack.id || owner === desired.lifecycle.adopt_from) return { actual };
  return {
    ...about,
    code: 'ADOPT_OWNED',
    message: `${id} belongs to the stack ${actual.marker?.s ?? ''}`,
    hint: `if that stack gave it up, say so: lifecycle.adopt_from: ${owner}`,
  };
}

/** Where a leftover of ours with the same key stands in the same parent. */
function sameKey(
  desired: Desired,
  left: ReadonlyMap<Address, Actual>,
  bound: ReadonlyMap<Address, { actual: Actual }>,
  { kinds }: PlanInput,
): Address | undefined {
  const kind = kinds.named(desired.kind);
  const field = kind?.within === undefined ? undefined : kind.fields[kind.within.key];
  if (kind?.within === undefined || field === undefined) return undefined;
  const { by, key } = kind.within;
  const parent = desired.spec[by];
  const parentId = parent instanceof Ref ? bound.get(parent.to)?.actual.id : parent;
  const wanted = meaning(field, desired.spec[key] ?? null);
  for (const [address, actual] of left) {
    if (
      actual.kind === desired.kind &&
      actual.parent === parentId &&
      meaning(field, actual.spec[key] ?? null) === wanted
    )
      return address;
  }
  return undefined;
}
