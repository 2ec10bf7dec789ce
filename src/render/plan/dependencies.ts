import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import type { Step } from '../../model/plan.ts';

/** What the requests of each change wait for among the requests of others, by reason; safe text. */
export function dependenciesByAddress(steps: readonly Step[]): (address: Address) => readonly string[] {
  const addressOf = new Map(steps.map(({ id, address }) => [id, address]));
  const waits = new Map<string, Map<string, Set<string>>>();
  for (const { address, after } of steps)
    for (const { step, because } of after) {
      const other = addressOf.get(step);
      if (other === undefined || other === address) continue;
      const reasons = waits.get(address) ?? new Map<string, Set<string>>();
      waits.set(address, reasons.set(because, (reasons.get(because) ?? new Set()).add(other)));
    }
  return (address) => [...(waits.get(address) ?? [])].map(waitText);
}

function waitText([because, others]: readonly [string, ReadonlySet<string>]): string {
  return `${[...others].map((other) => safeText(other)).join(', ')}: ${safeText(because)}`;
}
