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

/** A metric whose values rise and fall: of samples, or of one value; undefined: there is none now. */
export function gauge(name: string, help: string, given: readonly Sample[] | number | boolean | undefined): Metric {
  const one = given === undefined ? [] : [{ value: Number(given) }];
  return { name, help, type: 'gauge', samples: typeof given === 'object' ? given : one };
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
        ...samples.map(({ labels = {}, value, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${value}\n`),
      ].join(''),
    )
    .join('');
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = safeText(value, longestLabel).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
