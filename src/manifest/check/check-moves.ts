import type { Address } from '../../model/address.ts';
import { formerAddresses, type Desired } from '../../model/resource.ts';
import { dependencyOrder } from '../expand/dependency-order.ts';
import type { ReportProblem } from './problems.ts';

/** Finds cycles of `moved_from`: a resource cannot have moved from itself. Each is reported once, and all resources in it are in doubt. */
export function checkMoves(
  resources: readonly Desired[],
  report: ReportProblem,
  doubt: (address: Address) => void,
): void {
  const moved = new Map(
    resources.flatMap((desired) => (desired.lifecycle.moved_from === undefined ? [] : [[desired.address, desired]])),
  );
  const earlier = new Map([...moved].map(([address, { lifecycle }]) => [address, formerAddresses(lifecycle)]));
  const rank = new Map([...moved.keys()].map((address, index) => [address, index]));
  for (const cycle of dependencyOrder(earlier).cycles) reportCycle(fromFirst(cycle));

  function reportCycle(cycle: readonly Address[]): void {
    const way = cycle.flatMap((address) => moved.get(address) ?? []);
    const [desired, ...others] = way;
    if (desired === undefined) return;
    for (const { address } of way) doubt(address);
    const isOwn = others.length === 0;
    report(desired, () => ({
      code: 'INVALID_LIFECYCLE',
      message: isOwn
        ? "`moved_from` is the resource's own address"
        : `\`moved_from\` forms a cycle: ${[...cycle, desired.address].join(' moved from ')}`,
      hint: isOwn
        ? 'remove `moved_from`'
        : 'swap names in two steps: apply with one resource under a temporary name first',
      place: desired.places.of([]),
      related: others.map((other) => ({ message: `\`moved_from\` of ${other.address}`, place: other.places.of([]) })),
    }));
  }

  /** The cycle, from the resource that is written first. */
  function fromFirst(cycle: readonly Address[]): readonly Address[] {
    const ranks = cycle.map((address) => rank.get(address) ?? 0);
    const first = ranks.indexOf(ranks.reduce((least, one) => Math.min(least, one)));
    return [...cycle.slice(first), ...cycle.slice(0, first)];
  }
}
