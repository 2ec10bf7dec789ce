import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { writeCorpus } from './corpus.ts';
import { best, type Line } from './line.ts';
import { benchStack, type Usage } from './stack.ts';

/** What a plan that finds nothing to do costs, and how that grows. The large stack only where `BENCH_LARGE` is set: it takes minutes. */
export async function scale(): Promise<Line[]> {
  const small = await noOpPlan(10_000, 3);
  const lines: Line[] = [
    {
      what: 'no-op plan of 10,000: CPU / yaml parsing the same',
      figure: small.plan.cpuMs / small.yamlMs,
      most: 0.7,
      from: `${small.plan.cpuMs.toFixed(0)} ms / ${small.yamlMs.toFixed(0)} ms`,
    },
    { what: 'no-op plan of 10,000: peak memory', figure: small.plan.peakMiB, most: 180, unit: ' MiB' },
  ];
  if (process.env['BENCH_LARGE'] === undefined) return lines;
  const large = await noOpPlan(100_000, 1);
  return [
    ...lines,
    { what: 'no-op plan: CPU at 100,000 / at 10,000', figure: large.plan.cpuMs / small.plan.cpuMs, most: 11 },
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
    const yamlMs = await best(
      times,
      () => Promise.resolve(parseAll(join(stack.dir, 'manifests'))),
      (ms) => ms,
    );
    return { plan: usage, yamlMs };
  } finally {
    await stack.end();
  }
}

/** CPU time of parsing every file as `yaml` does by itself. */
function parseAll(dir: string): number {
  const texts = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(dir, name), 'utf8'));
  const begun = process.cpuUsage();
  for (const text of texts) for (const document of parseAllDocuments(text)) if ('toJS' in document) document.toJS();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
