import type { Labels, Metric, Sample } from './exposition.ts';

/** Name and help text of a metric. */
export interface MetricName {
  readonly name: string;
  readonly help: string;
}

/** A number that only grows, one for each combination of labels. */
export interface Counter {
  readonly add: (by: number, labels?: Labels) => void;
  readonly metric: () => Metric;
}

/** How often values of each size were seen. */
export interface Histogram {
  readonly observe: (value: number, labels?: Labels) => void;
  readonly metric: () => Metric;
}

/** Makes a counter. Without labels it starts at 0. */
export function counter(name: MetricName, labelled: boolean): Counter {
  const totals = new Map<string, { readonly labels: Labels; value: number }>();
  const at = (labels: Labels): { value: number } => {
    const key = JSON.stringify(labels);
    const found = totals.get(key) ?? { labels, value: 0 };
    totals.set(key, found);
    return found;
  };
  if (!labelled) at({});
  return {
    add: (by, labels = {}) => {
      at(labels).value += by;
    },
    metric: () => ({ ...name, type: 'counter', samples: [...totals.values()] }),
  };
}

/** Makes a histogram with these upper bounds. */
export function histogram(name: MetricName, bounds: readonly number[]): Histogram {
  const rows = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }>();
  return {
    observe: (value, labels = {}) => {
      const key = JSON.stringify(labels);
      const row = rows.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      rows.set(key, row);
      row.sum += value;
      row.count += 1;
      for (const [index, bound] of bounds.entries())
        if (value <= bound) row.counts[index] = (row.counts[index] ?? 0) + 1;
    },
    metric: () => ({
      ...name,
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
