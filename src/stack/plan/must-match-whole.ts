import { quoted } from '../../diagnostics/quoted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import { Ref } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Desired } from '../../model/resource.ts';
import { atOnce } from '../../model/sliced.ts';
import type { PlanInput, Match } from '../../plan/input.ts';
import { matchResources } from '../../plan/match-resources.ts';
import { UsageError, optionName, type Caller } from '../usage-error.ts';
import type { DesiredScope } from './load-desired.ts';

/** Refuses a targeted plan that would delete or change a resource that the whole manifests give to another address. */
export function mustMatchWhole(caller: Caller, { whole, removedTargets }: DesiredScope, input: PlanInput): void {
  if (whole === undefined) return;
  const found = neededForPart(whole, input);
  const [first] = found;
  if (first === undefined) return;
  const named = (addresses: readonly string[]): string => addresses.map((one) => safeText(one)).join(', ');
  if (removedTargets.includes(first.address))
    throw new UsageError(
      `${optionName(caller, '--target', 'target')}: ${quoted(first.address)} is the former address of ${safeText(first.needs.at(-1) ?? '')}`,
      `pass ${first.needs.length > 1 ? 'the new addresses' : 'the new address'} instead: ${named(first.needs)}`,
    );
  const needs = [...new Set(found.flatMap((one) => one.needs))];
  throw new UsageError(
    `${safeText(first.address)} cannot be planned without ${named(first.needs)}: the manifests move resources between these addresses`,
    `include ${named(needs)} in the plan, or plan the whole stack`,
  );
}

/** An address that a plan of a part would match with a resource that the whole gives to another, and what the part lacks. */
interface NeededForPart {
  readonly address: Address;
  readonly needs: readonly Address[];
}

/** Where a plan of a part would take or delete another resource than a plan of the whole manifests: names move within the whole. */
function neededForPart(whole: readonly Desired[], part: PlanInput): readonly NeededForPart[] {
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
