import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { createMetrics } from '../../src/watch/status/metrics.ts';
import { readPrometheus } from './prometheus-text.ts';
import { statuses } from './statuses.ts';

const root = join(import.meta.dirname, '../..');
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
  .parse(parse(readFileSync(join(root, 'examples/deploy/prometheus/alerts.yaml'), 'utf8')))
  .groups.flatMap((group) => group.rules);

test('alerts ask for nothing but metrics that a watch serves', async () => {
  const texts = await Promise.all(Object.values(statuses).map((status) => createMetrics().text(status)));
  const served = new Set(texts.flatMap((text) => readPrometheus(text).map(({ name }) => name)));
  const asked = rules.flatMap(({ expr }) => expr.match(/\b(?:sluice|process)_[a-z_]+/g) ?? []);
  expect(asked.filter((name) => !served.has(name))).toEqual([]);
  expect(new Set(asked).size).toBe(12);
});

test('the page on operating says of each alert what to do', () => {
  const page = readFileSync(join(root, 'docs/operate.md'), 'utf8');
  const told = [...page.matchAll(/^\| `(Sluice\w+)` \|/gm)].map((row) => row[1]);
  expect(told).toEqual(rules.map(({ alert }) => alert));
});
