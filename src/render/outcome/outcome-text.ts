import { countEach, counted } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import {
  endings,
  hasWritten,
  type ChangeOutcome,
  type Duplicate,
  type Ending,
  type Outcome,
  type UnsavedState,
} from '../../model/outcome.ts';
import { isEmptyPlan } from '../../model/plan/plan.ts';
import type { ApplyResult } from '../formats/format.ts';
import { actionWords, countActions } from '../plan/action-words.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Palette } from '../text/palette.ts';
import { unresolvedCount, unresolvedText } from '../plan/unresolved-creations.ts';
import { wrap } from '../text/wrap.ts';

/** The label of an ending: `not started`. */
export function endingText(ending: Ending): string {
  return ending.replace('-', ' ');
}

const colours: Readonly<Record<Ending, keyof Palette>> = {
  done: 'added',
  failed: 'removed',
  unknown: 'danger',
  skipped: 'changed',
  'not-started': 'quiet',
};

/** The outcome of an apply, for a person: incomplete changes with their reasons, then the summary. */
export function outcomeText(outcome: Outcome, palette: Palette, width?: number): string {
  const open = outcome.changes.filter(({ ending }) => ending !== 'done').map((change) => outcomeLine(change, palette));
  for (const one of outcome.unresolved)
    open.push(palette.danger(`? unresolved: ${safeText(one.address)}: ${safeText(unresolvedText(one), 2000)}`));
  for (const one of outcome.duplicates)
    open.push(palette.danger(`! duplicate: ${safeText(one.address)}: ${safeText(duplicateText(one), 2000)}`));
  if (outcome.stateError !== undefined) open.push(palette.danger(unsavedText(outcome.stateError)));
  return `${[...open, palette.strong(outcomeSummary(outcome))].map((line) => wrap(line, width, 4)).join('\n')}\n`;
}

/** Why the state was not saved, and what to do. */
export function unsavedText({ message, hint }: UnsavedState): string {
  return `state not saved: ${safeText(message, 2000)} (${safeText(hint, 2000)})`;
}

/** One change and how it ended. */
export function outcomeLine(change: ChangeOutcome, palette: Palette): string {
  const [word, colour] = [endingText(change.ending), colours[change.ending]];
  const because =
    change.failedDependency === undefined
      ? ''
      : ` (depends on ${safeText(change.failedDependency)}, which did not complete)`;
  const message = change.message === undefined ? '' : `: ${safeText(change.message)}`;
  const did = change.ending === 'done' ? actionWords[change.action].done : `${actionWords[change.action].toDo} ${word}`;
  return `${palette[colour](`${actionWords[change.action].symbol} ${safeText(change.address)} ${did}`)}${because}${message}`;
}

/** `Applied in part: 2 created; 1 failed, 1 skipped; 3 API requests.` */
export function outcomeSummary(outcome: Outcome): string {
  const { changes, requests, interrupted, unresolved, duplicates, stateError } = outcome;
  const done = changes.filter(({ ending }) => ending === 'done');
  const unfinished = changes.filter(({ ending }) => ending !== 'done');
  const open = countEach(endings, unfinished, ({ ending }) => ending).map(
    ([ending, count]) => `${count} ${endingText(ending)}`,
  );
  const sent = counted(requests, 'API request');
  const twice = duplicates.length === 0 ? '' : counted(duplicates.length, 'duplicate');
  const lost = stateError === undefined ? '' : 'state not saved';
  const parts = [countActions(done, 'done'), open.join(', '), unresolvedCount(unresolved.length), twice, sent, lost]
    .filter((part) => part !== '')
    .join('; ');
  if (interrupted) return `Interrupted: ${parts}.`;
  if (unresolved.length + duplicates.length > 0 && (done.length > 0 || open.length === 0))
    return `Applied in part: ${parts}.`;
  if (open.length === 0 && (stateError === undefined || done.length > 0)) return `Applied: ${parts}.`;
  if (requests === 0 && done.length === 0) return `Nothing was written: ${parts}.`;
  return `${hasWritten(changes) ? 'Applied in part' : 'Failed'}: ${parts}.`;
}

/** The end of an apply, in one line. */
export function applySummary({ plan, outcome }: Pick<ApplyResult, 'plan' | 'outcome'>): string {
  if (isEmptyPlan(plan)) return planSummary(plan);
  return outcome === undefined ? `Nothing was written. ${planSummary(plan)}` : outcomeSummary(outcome);
}

/** A duplicate, and what to do. */
export function duplicateText({ id, otherIds }: Duplicate): string {
  return `this run created ${id}, and another run created ${otherIds.join(', ')} with the same ownership marker at the same time; run \`sluice plan --keep-oldest\` to see which would be deleted, and do not apply two copies of a stack at once`;
}
