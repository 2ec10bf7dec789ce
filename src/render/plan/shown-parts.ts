import type { Change, Plan } from '../../model/plan.ts';
import type { PlanParts } from '../../model/plan-parts.ts';
import { counted } from '../../diagnostics/counted.ts';
import { inBothParts } from '../../plan/parts/in-both-parts.ts';
import { countActions } from './action-words.ts';

/** A part of a plan as it is shown. */
export interface ShownPart {
  readonly title: string;
  /** The title, from where to where it leads, and how much it is. */
  readonly heading: string;
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
  /** What the other part changes in a resource as well. */
  readonly sharedOf: (address: string) => readonly string[];
  /** Where its sources are from, if not from what is checked out. */
  readonly commit?: string;
}

/** What precedes the summary of a plan that is shown in parts. */
export const wholePlan = 'Whole plan: ';

/** The parts of a plan in reading order: this change first. Together they name every change of the plan. */
export function shownParts(plan: Plan, parts: PlanParts): readonly ShownPart[] {
  const { base } = parts;
  const commit = base.commit.slice(0, 12);
  const ahead = base.ahead === 0 ? [] : [`${base.ref} is ${counted(base.ahead, 'commit')} ahead of the base.`];
  if ('inseparable' in parts)
    return [
      {
        title: 'This change, and what was already pending',
        heading: `Changes that were already pending are not shown separately (base ${commit})`,
        notes: [parts.inseparable, ...ahead],
        changes: plan.changes,
        sharedOf: () => [],
      },
    ];
  const shared = inBothParts(parts);
  const noted = (words: string) => (address: string) => {
    const fields = shared.get(address);
    return fields === undefined ? [] : [fields.length === 0 ? words : `${words}: ${fields.join(' ')}`];
  };
  const blocked = new Map(plan.changes.map((change) => [change.address, change.blocked]));
  const withBlocked = (change: Change): Change => {
    const why = blocked.get(change.address);
    return why === undefined ? change : { ...change, blocked: why };
  };
  const named = new Set([...parts.thisChange, ...parts.pending].map(({ address }) => address));
  const others = plan.changes.filter(({ action, address }) => action !== 'none' && !named.has(address));
  return [
    {
      title: 'This change',
      heading: `This change (from base ${commit}): ${countOf(parts.thisChange)}`,
      notes: [],
      changes: parts.thisChange.map(withBlocked),
      sharedOf: noted('also pending before this change'),
    },
    {
      title: 'Already pending',
      heading: `Already pending (from the account to base ${commit}): ${countOf(parts.pending)}`,
      notes: ahead,
      changes: parts.pending.map((change) => (shared.has(change.address) ? change : withBlocked(change))),
      sharedOf: noted('also in this change'),
      commit: base.commit,
    },
    ...(others.length === 0
      ? []
      : [
          {
            title: 'Only in the whole plan',
            heading: `Only in the whole plan: ${countOf(others)}`,
            notes: [],
            changes: others,
            sharedOf: () => [],
          },
        ]),
  ];
}

function countOf(changes: readonly Change[]): string {
  return changes.length === 0
    ? 'no changes'
    : countActions(
        changes.map(({ action }) => action),
        'toDo',
      );
}
