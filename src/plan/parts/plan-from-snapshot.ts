import { isAtOrBelow, pointerOf } from '../../derive/pointer.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { leavesOf } from '../../kinds/leaves.ts';
import { Secret } from '../../kinds/value.ts';
import type { Change, Plan, PlanSnapshot } from '../../model/plan/plan.ts';

const dayMs = 86_400_000;

/** A plan that was made from a snapshot: it reports that, and lists every value that could not be compared. */
export function planFromSnapshot(plan: Plan, snapshot: PlanSnapshot): Plan {
  const isOld = plan.now !== undefined && plan.now - Date.parse(snapshot.takenAt) > dayMs;
  return {
    ...plan,
    snapshot,
    changes: plan.changes.map((change) => ({ ...change, unverified: uncompared(change) })),
    diagnostics: isOld ? [oldSnapshot, ...plan.diagnostics] : plan.diagnostics,
  };
}

const oldSnapshot: Diagnostic = {
  code: 'SNAPSHOT_OLD',
  severity: 'warning',
  message: 'the snapshot is older than 24 hours; the account may have changed since',
  hint: 'run `sluice snapshot` again',
};

/** Secrets and external values that both the manifest and the account have, and that do not differ as far as is known. */
function uncompared({ id, desired, fields }: Change): readonly string[] {
  if (id === undefined || desired === undefined) return [];
  const shown = fields.map(({ path }) => pointerOf(path));
  return leavesOf(desired)
    .filter(({ value }) => value instanceof Secret)
    .map(({ path }) => pointerOf(path))
    .filter((pointer) => !isAtOrBelow(pointer, shown));
}
