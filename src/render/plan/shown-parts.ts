import type { Change, Plan } from '../../model/plan/plan.ts';
import type { PlanParts } from '../../model/plan/plan-parts.ts';
import { counted } from '../../diagnostics/counted.ts';
import { inBothParts } from '../../plan/parts/part-of-plan.ts';
import { countActions } from './action-words.ts';

/** A part of a plan as it is shown. */
export interface ShownPart {
  readonly title: string;
  /** The title, from where to where it leads, and how much it is. */
  readonly heading: string;
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
  /** What the other parts change in a resource as well. */
  readonly sharedOf: (address: string) => readonly SharedWith[];
  /** Where its sources are from, if not from what is checked out. */
  readonly commit?: string;
}

/** What another part changes in a resource as well: its title, and the pointers of the fields, none where one of the two creates or deletes the resource. */
export interface SharedWith {
  readonly title: string;
  readonly fields: readonly string[];
}

/** What precedes the summary of a plan that is shown in parts. */
export const wholePlan = 'Whole plan: ';

/** The parts of a plan in reading order: this change first. Together they name every change of the plan. */
export function shownParts(plan: Plan, parts: PlanParts): readonly ShownPart[] {
  const { base } = parts;
  const commit = commitText(base.commit);
  const ahead = base.ahead === 0 ? [] : [`${base.ref} is ${counted(base.ahead, 'commit')} ahead of the base.`];
  if ('inseparable' in parts)
    return [
      {
        title: 'This change, and what was already pending',
        heading: `Changes that were already pending are not shown separately (the base is ${commit})`,
        notes: [parts.inseparable, ...ahead],
        changes: plan.changes,
        sharedOf: () => [],
      },
    ];
  const blocked = new Map(plan.changes.map((change) => [change.address, change.blocked]));
  // A change that several parts share is blocked once, in the first of them.
  const withBlocked = (change: Change): Change => {
    const why = blocked.get(change.address);
    blocked.delete(change.address);
    return why === undefined ? change : { ...change, blocked: why };
  };
  const named = new Set([...parts.thisChange, ...parts.pending].map(({ address }) => address));
  const others = plan.changes.filter(({ action, address }) => action !== 'none' && !named.has(address));
  const shown = withShared([
    ownPart('This change', ` (since the base, ${commit})`, parts.thisChange),
    ...pendingParts(parts).map((part, index) => ({ ...part, notes: [...(index === 0 ? ahead : []), ...part.notes] })),
  ]);
  return [
    ...shown.map((part) => ({ ...part, changes: part.changes.map(withBlocked) })),
    ...(others.length === 0
      ? []
      : [{ ...ownPart('Changes in none of the parts above', '', others), sharedOf: () => [] }]),
  ];
}

type Separated = Extract<PlanParts, { applied: unknown }>;

type OwnPart = Omit<ShownPart, 'sharedOf'>;

/** What was already pending: in two parts, where the commit that was applied last is known. */
function pendingParts({ base, pending, applied }: Separated): readonly OwnPart[] {
  const commit = commitText(base.commit);
  if ('unknown' in applied) {
    const part = ownPart('Already pending', ` (differences between the account and the base, ${commit})`, pending);
    const notes = pending.length === 0 ? [] : [`Drift is not shown separately: ${applied.unknown}.`];
    return [{ ...part, notes, commit: base.commit }];
  }
  const last = commitText(applied.commit);
  const sinceLast = ` (changes from the last applied ${last} to the base, ${commit})`;
  const drift = ` (differences between the account and the last applied ${last})`;
  return [
    { ...ownPart('Not applied yet', sinceLast, applied.notApplied), commit: base.commit },
    { ...ownPart('Drift', drift, applied.drift), commit: applied.commit },
  ];
}

function withShared(parts: readonly OwnPart[]): readonly ShownPart[] {
  return parts.map((part) => {
    const shared = parts
      .filter((other) => other !== part)
      .map(({ title, changes }) => ({ title, fields: inBothParts(part.changes, changes) }));
    return {
      ...part,
      sharedOf: (address) =>
        shared.flatMap(({ title, fields: all }) => {
          const fields = all.get(address);
          return fields === undefined ? [] : [{ title, fields }];
        }),
    };
  });
}

/** A commit as platforms show it: by the first seven digits of its name. */
function commitText(commit: string): string {
  return `commit ${commit.slice(0, 7)}`;
}

function ownPart(title: string, range: string, changes: readonly Change[]): OwnPart {
  const count = changes.length === 0 ? 'no changes' : countActions(changes, 'toDo');
  return { title, heading: `${title}${range}: ${count}`, notes: [], changes };
}
