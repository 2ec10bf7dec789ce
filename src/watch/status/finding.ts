import type { Condition, PendingChange, WatchStatus } from '../../model/status/watch-status.ts';

/** What conditions follow from. */
export type ConditionFacts = Omit<WatchStatus, 'conditions'>;

/** A condition without its time; `began` is when what caused it began, where that is known. */
export interface ConditionFinding extends Omit<Condition, 'type' | 'since'> {
  readonly began?: number | undefined;
}

/** What was found for a condition. */
export function finding(
  status: Condition['status'],
  reason: string,
  message: string,
  began?: number,
): ConditionFinding {
  return { status, reason, message, began };
}

/** When the first of several began. */
export function earliestOf(items: readonly { readonly since: number }[]): number | undefined {
  return items.length === 0 ? undefined : Math.min(...items.map(({ since }) => since));
}

/** The changes that are pending for one reason. */
export function pendingFor({ pending }: ConditionFacts, reason: PendingChange['reason']): readonly PendingChange[] {
  return pending.filter((one) => one.reason === reason);
}

/** Whether manifests were read that the account has not been compared with. */
export function isBehind({ revision, observed }: ConditionFacts): boolean {
  return revision?.content !== observed?.content;
}
