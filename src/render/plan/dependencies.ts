import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import type { Change, Step, StepRole } from '../../model/plan/plan.ts';

/**
 * What each change depends on, as safe lines; why is in the list of requests and in the JSON. A change that begins first
 * depends on none that begins later, although its last request may come after those: the old one of two replaced
 * resources is deleted when nothing refers to it any more.
 */
export function dependenciesByChange(steps: readonly Step[]): (change: Change) => readonly string[] {
  const stepOf = new Map(steps.map((step) => [step.id, step]));
  const rank = new Map([...new Set(steps.map(({ address }) => address))].map((address, at) => [address, at]));
  const found = new Map<Address, Map<Address, Set<StepRole>>>();
  for (const { address, dependsOn } of steps)
    for (const { step } of dependsOn) {
      const other = stepOf.get(step);
      if (other === undefined || (rank.get(other.address) ?? 0) >= (rank.get(address) ?? 0)) continue;
      const others = found.get(address) ?? new Map<Address, Set<StepRole>>();
      found.set(address, others.set(other.address, (others.get(other.address) ?? new Set()).add(other.role)));
    }
  return ({ address, action }) => {
    const others = [...(found.get(address) ?? [])].map(([other, roles]) => [safeText(other), doneTo(roles)] as const);
    return (['created', 'updated', 'deleted'] as const).flatMap((done) => {
      const names = others.filter(([, what]) => what === done).map(([name]) => name);
      if (names.length === 0) return [];
      if (done === 'created' && action !== 'delete') return [`depends on ${names.join(', ')}`];
      return [
        `${action === 'delete' ? 'deleted' : 'starts'} after ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${done}`,
      ];
    });
  };
}

/** What has been done to a resource when the steps that a change depends on are done. */
function doneTo(roles: ReadonlySet<StepRole>): 'created' | 'updated' | 'deleted' {
  if (roles.has('create')) return 'created';
  return roles.has('delete') ? 'deleted' : 'updated';
}
