import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { printed } from '../support/harness.ts';
import { caseNamed, nameOf, casesOf } from './cases.ts';
import { judge } from './oracles.ts';
import { bugs } from './planted.ts';
import { prepare } from './prepare.ts';
import { servers } from './servers.ts';
import { trial, type Evidence } from './trial.ts';

const named = process.env['MATRIX'] ?? '';

test.runIf(named.includes('/'))('the case named by MATRIX goes well', async () => {
  const one = caseNamed(named, servers);
  const prepared = (await prepare(one.server))[one.leg];
  const planted = bugs[process.env['MATRIX_BUG'] ?? '']?.planted;
  const evidence = await trial(prepared, { ...one, ...(planted === undefined ? {} : { planted }) });
  const violations = judge(evidence, prepared, one.faults);
  if (violations.length > 0) process.stdout.write(story(evidence));
  expect(violations).toEqual([]);
});

test('each case has a name that says all of it', async () => {
  const { change } = await prepare(servers[0]!);
  const [first] = casesOf(change);
  const dies = { ...first!, cut: { request: 7, point: 'after-commit' } as const };
  for (const one of [...casesOf(change), dies]) expect(caseNamed(nameOf(one), servers)).toEqual(one);
});

function story({ runs, hit }: Evidence): string {
  const lines = runs.map(({ plan, outcome, error, writes, told }) =>
    [
      plan === undefined ? 'no plan' : printed(plan, kinds, true),
      `${writes} writes; ${JSON.stringify(outcome?.changes.filter(({ ending }) => ending !== 'done') ?? String(error))}`,
      ...told.filter((line) => !line.startsWith('{')),
    ].join('\n'),
  );
  return [`met: ${JSON.stringify(hit)}`, ...lines, ''].join('\n\n---- run ----\n\n');
}
