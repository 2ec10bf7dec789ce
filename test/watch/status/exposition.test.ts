import { expect, test } from 'vitest';
import { exposition } from '../../../src/watch/status/exposition.ts';

test('a metric has a line for each value; one without values is left out', () => {
  const gauge = { name: 'sluice_age_seconds', help: 'How old it is.', type: 'gauge' } as const;
  const values = [1.5, 1e-7].map((value, n) => ({ value, labels: { n: String(n) } }));
  expect(
    exposition([
      { ...gauge, samples: [] },
      { ...gauge, samples: [{ value: 2 }, ...values] },
    ]).split('\n'),
  ).toEqual([
    '# HELP sluice_age_seconds How old it is.',
    '# TYPE sluice_age_seconds gauge',
    'sluice_age_seconds 2',
    'sluice_age_seconds{n="0"} 1.5',
    'sluice_age_seconds{n="1"} 1e-7',
    '',
  ]);
});

test('texts of others end neither a label nor a line', () => {
  const samples = [{ value: 1, labels: { stack: 'a"b\\c\nd', path: 'p' }, suffix: '_count' }];
  const [help, , line] = exposition([{ name: 'm', help: 'a\\b\nc', type: 'histogram', samples }]).split('\n');
  expect(help).toBe('# HELP m a\\\\b\\nc');
  expect(line).toMatch(/^m_count\{stack="a\\"b\\\\c.*d",path="p"\} 1$/);
});
