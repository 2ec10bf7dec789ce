import type { Decisions } from '../decide.ts';
import { waitsFor, type PlanNode } from './plan-node.ts';

/**
 * An old resource that is deleted first, itself or with its parent, stays until everything exists that the new one refers to:
 * if a creation fails, nothing is lost. Where that creation waits for the deletion itself, there is no such order.
 */
export function keepUntilReplaceable(decisions: Decisions, nodes: readonly PlanNode[]): void {
  const deletions = new Map(nodes.filter(({ role }) => role === 'delete').map((node) => [node.address, node]));
  if (deletions.size === 0) return;
  for (const create of nodes) {
    const old = deletions.get(decisions.get(create.address)?.deletedWith ?? create.address);
    if (create.role !== 'create' || old === undefined) continue;
    for (const [required, reason] of create.after)
      if (required.role === 'create' && !waitsFor(required, old) && waitsFor(create, old))
        old.after.set(required, `its replacement ${reason}`);
  }
}
