import type { Address } from '../model/address.ts';
import { parentIn } from '../kinds/parent-in.ts';
import { Ref } from '../kinds/value.ts';
import type { Desired } from '../model/resource.ts';
import { atOnce } from '../model/sliced.ts';
import type { Match, PlanInput } from './input.ts';
import { matchResources } from './match-resources.ts';

/** An address that a plan of a part would match with a resource that the whole gives to another, and what the part lacks. */
export interface NeededForPart {
  readonly address: Address;
  readonly needs: readonly Address[];
}

/** Where a plan of a part would take or delete another resource than a plan of the whole manifests: names move within the whole. */
export function neededForPart(whole: readonly Desired[], part: PlanInput): readonly NeededForPart[] {
  const all = matchesOf({ ...part, desired: { ...part.desired, resources: whole } }).filter(
    ({ desired }) => desired !== undefined,
  );
  const inWhole = new Map(all.map((match) => [match.address, match]));
  const takers = new Map(all.flatMap((match) => (match.actual === undefined ? [] : [[keyOf(match), match]])));
  const selected = new Set(part.desired.resources.map(({ address }) => address));
  const isTarget = (address: Address): boolean => selected.has(address) || part.targets?.includes(address) === true;

  return matchesOf(part)
    .filter(({ address }) => isTarget(address))
    .flatMap((match) => {
      const { address, actual } = match;
      const taker = actual === undefined ? undefined : takers.get(keyOf(match));
      const own = inWhole.get(address);
      const isOther = own?.movedFrom !== undefined && own.actual?.id !== actual?.id;
      const needs = [
        ...(taker === undefined || taker.address === address ? [] : [...movedParent(taker), taker.address]),
        ...(isOther ? movedParent(own) : []),
      ].filter((one) => !selected.has(one));
      return needs.length === 0 ? [] : [{ address, needs }];
    });

  function movedParent({ kind, desired }: Match): readonly Address[] {
    const parent = parentIn(kind, desired?.spec);
    return parent instanceof Ref && inWhole.get(parent.to)?.movedFrom !== undefined ? [parent.to] : [];
  }
}

function matchesOf(input: PlanInput): readonly Match[] {
  return atOnce(matchResources(input)).pairs;
}

function keyOf({ kind, actual }: Match): string {
  return `${kind.name} ${actual?.id ?? ''}`;
}
