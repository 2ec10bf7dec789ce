import type { Action } from '../../model/plan/plan.ts';
import type { Palette } from '../text/palette.ts';

/** In a summary (`3 to create`), afterwards (`3 created`), and while it is in progress. */
type ActionWords = Readonly<Record<'symbol' | 'toDo' | 'done' | 'doing', string>> & { readonly colour: keyof Palette };

/** The symbol and words of every action, in the order of a summary. */
export const actionWords: Readonly<Record<Action, ActionWords>> = {
  create: { symbol: '+', toDo: 'create', done: 'created', doing: 'creating', colour: 'added' },
  update: { symbol: '~', toDo: 'update', done: 'updated', doing: 'updating', colour: 'changed' },
  'replace-create-first': { symbol: '±', toDo: 'replace', done: 'replaced', doing: 'replacing', colour: 'danger' },
  'replace-delete-first': { symbol: '∓', toDo: 'replace', done: 'replaced', doing: 'replacing', colour: 'danger' },
  delete: { symbol: '-', toDo: 'delete', done: 'deleted', doing: 'deleting', colour: 'removed' },
  adopt: { symbol: '>', toDo: 'adopt', done: 'adopted', doing: 'adopting', colour: 'changed' },
  'write-file': { symbol: '=', toDo: 'write', done: 'written', doing: 'writing', colour: 'changed' },
  record: {
    symbol: '=',
    toDo: 'record in state',
    done: 'recorded in state',
    doing: 'recording in state',
    colour: 'changed',
  },
  forget: { symbol: '.', toDo: 'forget', done: 'forgotten', doing: 'forgetting', colour: 'quiet' },
  none: { symbol: ' ', toDo: 'leave', done: 'unchanged', doing: 'leaving', colour: 'quiet' },
};

/** `3 to create, 1 to replace`, each action once, in the order of the table above; what has no count is one. */
export function countActions(
  counted: readonly { readonly action: Action; readonly count?: number }[],
  form: 'toDo' | 'done',
): string {
  const counts = new Map<string, number>();
  const order = Object.keys(actionWords) as Action[];
  for (const { action, count = 1 } of counted.toSorted((a, b) => order.indexOf(a.action) - order.indexOf(b.action))) {
    const word = actionWords[action][form];
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return [...counts].map(([word, count]) => `${count} ${form === 'toDo' ? 'to ' : ''}${word}`).join(', ');
}
