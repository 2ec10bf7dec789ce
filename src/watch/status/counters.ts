import type { Labels, Metric, Sample } from './exposition.ts';

/** A metric that grows, for each combination of labels by itself. */
export interface Counter {
  readonly add: (value: number, labels?: Labels) => void;
  readonly metric: () => Metric;
}

/** Makes a counter that starts with 0 for each of these labels; by default for none, so that it has one value. */
export function counter(name: string, help: string, labelled: readonly Labels[] = [{}]): Counter {
  const totals = new Map<string, { readonly labels: Labels; value: number }>();
  const at = (labels: Labels): { value: number } => {
    const key = JSON.stringify(labels);
    const found = totals.get(key) ?? { labels, value: 0 };
    totals.set(key, found);
    return found;
  };
  for (const labels of labelled) at(labels);
  return {
    add: (value, labels = {}) => {
      at(labels).value += value;
    },
    metric: () => ({ name, help, type: 'counter', samples: [...totals.values()] }),
  };
}

/** Makes a histogram with these upper bounds: how often values of each size were added. */
export function histogram(name: string, help: string, bounds: readonly number[]): Counter {
  const rows = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }>();
  return {
    add: (value, labels = {}) => {
      const key = JSON.stringify(labels);
      const row = rows.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      rows.set(key, row);
      row.sum += value;
      row.count += 1;
      for (const [index, bound] of bounds.entries())
        if (value <= bound) row.counts[index] = (row.counts[index] ?? 0) + 1;
    },
    metric: () => ({
      name,
      help,
      type: 'histogram',
      samples: [...rows.values()].flatMap(({ labels, counts, sum, count }): Sample[] => [
        ...bounds.map((bound, index) => ({
          suffix: '_bucket',
          labels: { ...labels, le: String(bound) },
          value: counts[index] ?? 0,
        })),
        { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
        { suffix: '_sum', labels, value: sum },
        { suffix: '_count', labels, value: count },
      ]),
    }),
  };
}
