import { expect, test } from 'vitest';
import type { RateFinding } from '../../../src/api/rate/rate.ts';
import { rateFindingLog } from '../../../src/stack/service/rate-finding-log.ts';

function logged(...findings: readonly RateFinding[]): readonly string[] {
  const lines: string[] = [];
  const report = rateFindingLog((line) => lines.push(line));
  for (const finding of findings) report(finding);
  return lines.map(
    (line) =>
      /about \d+ requests? per minute|at most \d+ at a time|sluice retries these requests and does not slow down/.exec(
        line,
      )?.[0] ?? line,
  );
}

test('a rate is logged when it is found, and again when it has changed noticeably', () => {
  expect(logged({ gapMs: 1_000 }, { gapMs: 1_000 }, { gapMs: 1_100 }, { gapMs: 900 })).toEqual([
    'about 60 requests per minute',
  ]);
  expect(logged({ gapMs: 1_000 }, { gapMs: 2_000 }, { gapMs: 1_000 })).toEqual([
    'about 60 requests per minute',
    'about 30 requests per minute',
    'about 60 requests per minute',
  ]);
});

test('each other meaning of 429 is logged once, until another one is found', () => {
  expect(
    logged({ atOnce: 4 }, { atOnce: 4 }, { atOnce: 3 }, { share: 0.1 }, { share: 0.2 }, { gapMs: 60_000 }),
  ).toEqual([
    'at most 4 at a time',
    'at most 3 at a time',
    'sluice retries these requests and does not slow down',
    'about 1 request per minute',
  ]);
});
