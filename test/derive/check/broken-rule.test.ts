import { expect, test } from 'vitest';
import { brokenRule } from '../../../src/derive/check/broken-rule.ts';

const message = 'the port is not open';

test.each([
  ['described', 'documented'],
  ['described', 'completed'],
  ['completed', 'completed'],
] as const)('a broken rule that is %s is an error under the profile %s', (since, profile) => {
  expect(brokenRule({ since, message }, profile)).toEqual({ severity: 'error', message });
});

test('a broken rule that the description of the API does not have is a warning under the API profile documented', () => {
  expect(brokenRule({ since: 'completed', message }, 'documented')).toEqual({
    severity: 'warning',
    message: 'the port is not open (the service may refuse the request)',
  });
});

test('a rule with a severity of its own keeps it, whatever the profile', () => {
  for (const profile of ['completed', 'documented'] as const)
    expect(brokenRule({ since: 'completed', message, severity: 'warning' }, profile)).toEqual({
      severity: 'warning',
      message,
    });
});
