import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import type { Step } from '../../model/plan.ts';

/**
 * The addresses that each change depends on, as safe text; why is in the list of requests and in the JSON. A change that
 * begins first depends on none that begins later, although its last request may come after those: the old one of two
 * replaced resources is deleted when nothing refers to it any more.
 */
export function dependenciesByAddress(steps: readonly Step[]): (address: Address) => readonly string[] {
  const addressOf = new Map(steps.map(({ id, address }) => [id, address]));
  const begins = [...new Set(steps.map(({ address }) => address))];
  const rank = new Map(begins.map((address, at) => [address, at]));
  const found = new Map<string, Set<string>>();
  for (const { address, dependsOn } of steps)
    for (const { step } of dependsOn) {
      const other = addressOf.get(step);
      if (other !== undefined && (rank.get(other) ?? 0) < (rank.get(address) ?? 0))
        found.set(address, (found.get(address) ?? new Set<string>()).add(other));
    }
  return (address) => {
    const others = [...(found.get(address) ?? [])].map((other) => safeText(other));
    return others.length === 0 ? [] : [others.join(', ')];
  };
}
