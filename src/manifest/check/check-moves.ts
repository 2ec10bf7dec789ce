import type { Address } from '../../model/address.ts';
import { formerAddresses, type Desired } from '../../model/resource.ts';
import type { ReportProblem } from './problems.ts';

/** Finds cycles of `moved_from`: a resource cannot have moved from itself. Each is reported once, and all resources in it are in doubt. */
export function checkMoves(
  resources: readonly Desired[],
  report: ReportProblem,
  doubt: (address: Address) => void,
): void {
  const byAddress = new Map(resources.map((desired) => [desired.address, desired]));
  const reported = new Set<Address>();
  for (const desired of resources) {
    if (desired.lifecycle.moved_from === undefined || reported.has(desired.address)) continue;
    const way = wayBack(desired);
    if (way === undefined) continue;
    for (const { address } of way) {
      reported.add(address);
      doubt(address);
    }
    report(
      desired.place.file,
      () => ({
        code: 'INVALID_LIFECYCLE',
        severity: 'error',
        message:
          way.length === 1
            ? "`moved_from` is the resource's own address"
            : `\`moved_from\` forms a cycle: ${[...way, desired].map(({ address }) => address).join(' moved from ')}`,
        hint:
          way.length === 1
            ? 'remove `moved_from`'
            : 'swap names in two steps: apply with one resource under a temporary name first',
        address: desired.address,
        place: desired.places.of([]),
        related: way
          .slice(1)
          .map((other) => ({ message: `\`moved_from\` of ${other.address}`, place: other.places.of([]) })),
      }),
      desired.address,
    );
  }

  /** The resources on the shortest way from one back to itself. */
  function wayBack(start: Desired): readonly Desired[] | undefined {
    const seen = new Set<Address>();
    const ways: (readonly Desired[])[] = [[start]];
    for (const way of ways) {
      for (const former of formerAddresses((way.at(-1) ?? start).lifecycle)) {
        if (former === start.address) return way;
        const next = byAddress.get(former);
        if (next === undefined || seen.has(former)) continue;
        seen.add(former);
        ways.push([...way, next]);
      }
    }
    return undefined;
  }
}
