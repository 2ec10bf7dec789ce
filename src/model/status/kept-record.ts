import { groupBy } from '../group-by.ts';
import type { ApplyRecord } from './watch-status.ts';

/** An apply as it is kept with the watch state: of very many changes the first, those that were not done before the others, and the rest in numbers. */
export function keptRecord(record: ApplyRecord, most = 200): ApplyRecord {
  const { outcome, omitted: before = [] } = record;
  if (outcome.length <= most) return record;
  const [done, open] = [true, false].map((isDone) => outcome.filter(({ ending }) => (ending === 'done') === isDone));
  const inOrder = [...(open ?? []), ...(done ?? [])];
  const rest = groupBy(inOrder.slice(most), ({ action, ending }) => `${action} ${ending}`);
  const omitted = [...rest.values()].flatMap((all) =>
    all.slice(0, 1).map(({ action, ending }) => ({ action, ending, count: all.length })),
  );
  return { ...record, outcome: inOrder.slice(0, most), omitted: [...before, ...omitted] };
}
