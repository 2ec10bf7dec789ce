import { join, resolve } from 'node:path';
import { writeCorpus } from './corpus.ts';
import { best, type Line } from './line.ts';
import { benchStack, used, type Usage } from './stack.ts';

/** What a plan that finds nothing to do costs, and how that grows. The large stack only where `BENCH_LARGE` is set: it takes minutes. */
export async function scale(): Promise<Line[]> {
  const small = await noOpPlan(10_000, 3);
  const lines: Line[] = [
    {
      what: 'no-op plan of 10,000: CPU / a process in which yaml parses the same',
      figure: small.plan.cpuMs / small.yamlMs,
      most: 1,
      from: `${small.plan.cpuMs.toFixed(0)} ms / ${small.yamlMs.toFixed(0)} ms`,
    },
    { what: 'no-op plan of 10,000: peak memory', figure: small.plan.peakMiB, most: 165, unit: ' MiB' },
  ];
  if (process.env['BENCH_LARGE'] === undefined) return lines;
  const large = await noOpPlan(100_000, 1);
  return [
    ...lines,
    { what: 'no-op plan: CPU at 100,000 / at 10,000', figure: large.plan.cpuMs / small.plan.cpuMs, most: 10.5 },
    { what: 'no-op plan of 100,000: peak memory', figure: large.plan.peakMiB, most: 512, unit: ' MiB' },
  ];
}

async function noOpPlan(resources: number, times: number): Promise<{ readonly plan: Usage; readonly yamlMs: number }> {
  const stack = await benchStack();
  try {
    writeCorpus(stack.dir, resources);
    await stack.sluice('apply', '--auto-approve', '--parallelism', '100');
    const usage = await best(
      times,
      () => stack.sluice('plan', '--detailed-exitcode'),
      ({ cpuMs }) => cpuMs,
    );
    const yaml = await best(
      times,
      () => used(resolve('bench/parse-yaml.mjs'), [join(stack.dir, 'manifests')]),
      ({ cpuMs }) => cpuMs,
    );
    return { plan: usage, yamlMs: yaml.cpuMs };
  } finally {
    await stack.end();
  }
}
