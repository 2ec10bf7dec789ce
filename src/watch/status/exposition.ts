import { safeText } from '../../diagnostics/safe-text.ts';

/** Names and values that distinguish samples of one metric. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** `_bucket`, `_sum`, `_count` of a histogram. */
  readonly suffix?: string;
}

/** A metric with all its values. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

const longestLabel = 200;

/** Metrics in the text format of Prometheus (0.0.4). */
export function exposition(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
        `# TYPE ${name} ${type}\n`,
        ...samples.map(
          ({ labels = {}, value, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${number(value)}\n`,
        ),
      ].join(''),
    )
    .join('');
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${labelValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function labelValue(value: string): string {
  return safeText(value, longestLabel).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function number(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
