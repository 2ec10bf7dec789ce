/*
 * Which resource that is there takes which new address, as `lifecycle.moved_from` has it.
 *
 *   the new address    an earlier one                             decision
 *   ---------------    ---------------------------------------    ---------------------------------------------
 *   is there           any                                        it stays: the move is over
 *   is not there       is there, and nobody wants it              it moves
 *   is not there       is there, wanted, and moves on itself      both move: a chain is followed from its end
 *   is not there       is there, wanted, and stays                it is created, with a warning
 *   is not there       is nowhere                                 it is created, with a warning
 *   is not there       may have been created (unresolved)         its creation is blocked
 *   is not there       moved to another one already               an error
 *
 * Nested resources move with their parent, or after it, where a run moved the parent alone. Cycles are found where manifests are read.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { parentIn } from '../kinds/parent-in.ts';
import { Ref } from '../kinds/value.ts';
import type { Actual } from '../model/actual.ts';
import { addressInside, type Address } from '../model/address.ts';
import { formerAddresses, type Desired } from '../model/resource.ts';
import type { State } from '../model/state.ts';
import type { PlanInput } from './input.ts';

/** What moves, from where by new address, and diagnostics for moves that do not happen. */
export interface Moves {
  readonly from: ReadonlyMap<Address, Address>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What moves are found in: of the resources that are there, their kinds; their ids and parents where they are known. */
interface MovesInput extends Pick<PlanInput, 'kinds' | 'state'> {
  readonly account: {
    readonly ours: ReadonlyMap<Address, Pick<Actual, 'kind'> & Partial<Pick<Actual, 'id' | 'parent'>>>;
  };
}

/** Finds what moves. */
export function movesOf(wanted: readonly Desired[], input: MovesInput): Moves {
  const { ours } = input.account;
  // What is there stays.
  const absent = wanted.filter(({ address }) => !ours.has(address));
  if (absent.length === 0) return { from: new Map(), diagnostics: [] };
  const wantedAt = new Map(wanted.map((desired) => [desired.address, desired]));
  const from = new Map<Address, Address>();
  const takers = new Map<Address, Desired>();
  const diagnostics: Diagnostic[] = [];

  // Parents come first, so that what is nested in them can follow.
  const isInside = ({ kind }: Desired): number => Number(input.kinds.named(kind)?.within !== undefined);
  for (const desired of absent.sort((a, b) => isInside(a) - isInside(b))) {
    if (follow(desired, [])) continue;
    const diagnostic = withoutMove(desired, wantedAt, takers, input);
    if (diagnostic !== undefined) diagnostics.push(diagnostic);
  }
  return { from, diagnostics };

  function follow(desired: Desired, above: readonly Address[]): boolean {
    const earlier = [...formerAddresses(desired.lifecycle), ...followed(desired)];
    const source = earlier.find((address) => {
      if (ours.get(address)?.kind !== desired.kind || takers.has(address) || above.includes(address)) return false;
      const owner = wantedAt.get(address);
      return owner === undefined || follow(owner, [...above, desired.address]);
    });
    if (source === undefined) return false;
    from.set(desired.address, source);
    takers.set(source, desired);
    return true;
  }

  /** The addresses that it had inside a parent that moves, or has moved without it. */
  function followed({ kind: name, address, spec }: Desired): Address[] {
    const parent = parentIn(input.kinds.named(name), spec);
    if (!(parent instanceof Ref)) return [];
    const inside = (before: Address): Address => addressInside(address, parent.to, before);
    const before = from.get(parent.to);
    if (before !== undefined) return [inside(before)];
    const id = ours.get(parent.to)?.id;
    return formerOf(parent.to)
      .map(inside)
      .filter((one) => id !== undefined && ours.get(one)?.parent === id);
  }

  /** The addresses that a resource had before, as its manifest and the state have them, latest first. */
  function formerOf(address: Address): readonly Address[] {
    const recorded = input.state?.entries[address]?.formerAddresses ?? [];
    return [...formerAddresses(wantedAt.get(address)?.lifecycle ?? {}), ...recorded.toReversed()];
  }
}

/** The former address whose creation is unresolved: whether the resource exists, and moves, is not known. */
export function unresolvedBefore({ lifecycle }: Desired, state: State | undefined): Address | undefined {
  return formerAddresses(lifecycle).find((former) => state?.intents?.[former]?.unresolved === true);
}

/** Why a resource with `moved_from` is created nevertheless. */
function withoutMove(
  desired: Desired,
  wantedAt: ReadonlyMap<Address, Desired>,
  takers: ReadonlyMap<Address, Desired>,
  { account, state }: MovesInput,
): Diagnostic | undefined {
  const { address, lifecycle, kind } = desired;
  const earlier = formerAddresses(lifecycle);
  if (earlier.length === 0 || lifecycle.adopt !== undefined) return undefined;
  const about = { address, place: desired.places.of([]) };
  for (const former of earlier) {
    const taker = takers.get(former);
    if (taker !== undefined)
      return {
        ...about,
        code: 'DUPLICATE_MOVE',
        severity: 'error',
        message: `${former} has already moved to ${taker.address}`,
        hint: 'set `moved_from` in only one of the two manifests',
        related: [{ message: `${taker.address} has the same moved_from`, place: taker.places.of([]) }],
      };
    const owner = wantedAt.get(former);
    if (owner !== undefined)
      return {
        ...about,
        code: 'MOVED_FROM_STILL_DEFINED',
        severity: 'warning',
        message: `${former} still has a manifest, so the resource does not move; apply creates a new resource`,
        hint: `remove \`moved_from\`, or the manifest of ${former}`,
        related: [{ message: former, place: owner.places.of([]) }],
      };
  }
  if (unresolvedBefore(desired, state) !== undefined) return undefined;
  if (earlier.some((former) => Object.hasOwn(state?.entries ?? {}, former))) return undefined;
  const left = [...account.ours].find(([other, actual]) => actual.kind === kind && !wantedAt.has(other))?.[0];
  return {
    ...about,
    code: 'MOVED_FROM_UNKNOWN',
    severity: 'warning',
    message: `${earlier.join(' and ')} cannot be found in the state or in the account; apply creates a new resource`,
    hint:
      left === undefined || takers.has(left)
        ? 'remove `moved_from`'
        : `if the former address is ${left}, set moved_from: [${[...earlier, left].join(', ')}]`,
  };
}
