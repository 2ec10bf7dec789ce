import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

import { skippedWithout } from '../support/skipped-without.ts';
import { fleetGauges } from '../../src/watch/fleet/fleet-gauges.ts';
import { metricsText } from '../../src/watch/status/metrics.ts';
import { manyStacks } from './fleet/many-stacks.ts';
import { metricsTextOf } from './metrics-text.ts';
import { readPrometheus } from './prometheus-text.ts';
import { statuses } from './statuses.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'examples/deploy/prometheus');
const skipped = skippedWithout('promtool', spawnSync('promtool', ['--version']).status === 0);
const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ summary: z.string() }) }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')))
  .groups.flatMap((group) => group.rules);

test('alerts ask for nothing but metrics that a watch serves', () => {
  const ofFleet = metricsText([[{}, fleetGauges(manyStacks(50))]]);
  const texts = [...Object.values(statuses).map((status) => metricsTextOf(status)), ofFleet];
  const served = new Set(texts.flatMap((text) => readPrometheus(text).map(({ name }) => name)));
  const asked = rules.flatMap(({ expr }) => expr.match(/\b(?:sluice|process)_[a-z_]+/g) ?? []);
  expect(asked.filter((name) => !served.has(name))).toEqual([]);
  expect(new Set(asked).size).toBe(17);
});

test('the page on operating reports of each alert what to do', () => {
  const page = readFileSync(join(root, 'docs/operate.md'), 'utf8');
  const reported = [...page.matchAll(/^\| `(Sluice\w+)` \|/gm)].map((row) => row[1]);
  expect(reported).toEqual(rules.map(({ alert }) => alert));
});

test.skipIf(skipped !== '')(`alerts fire when they should, stack by stack, as promtool finds${skipped}`, async () => {
  const run = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: folder, timeout: 200_000 });
  expect((await run('check', 'rules', 'alerts.yaml')).stdout).toContain(`SUCCESS: ${String(rules.length)} rules found`);
  expect((await run('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS');
});
