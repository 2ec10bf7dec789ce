/* What the API does not describe of a reserved address may decide who reaches it. */
import { expect, test } from 'vitest';
import { hazards, planOf, type Specs } from '../support.ts';

const address = (endpoint_configuration_id: string | null): Specs => ({
  'ReservedAddr/mqtt': { endpoint_configuration_id },
});
const line = 'OPENS_ACCESS ReservedAddr/mqtt: `endpoint_configuration_id` changes, and the effect on access is unknown';

test('what the API does not describe of a reserved address may open it where it is removed or replaced', () => {
  const reported = (before: string | null, after: string | null): readonly string[] =>
    hazards(planOf({ ours: address(before), wanted: address(after) }));
  expect(reported('ec_1', null)).toEqual([line]);
  expect(reported('ec_1', 'ec_2')).toEqual([line]);
  expect([reported('ec_1', 'ec_1'), reported(null, 'ec_1')]).toEqual([[], []]);
  expect(hazards(planOf({ wanted: address('ec_1') }))).toEqual([]);
});

test('so it may where somebody removes or replaces it outside sluice, and the manifest keeps that', () => {
  const reported = (applied: string | null, now: string | null, wanted = now): readonly string[] => {
    const spec = { region: 'us', ...(applied === null ? {} : { endpoint_configuration_id: applied }) };
    const state = { 'ReservedAddr/mqtt': { spec } };
    const plan = planOf({ ours: address(now), wanted: address(wanted), state });
    expect(plan.hazards.flatMap(({ message, causes = [] }) => (message.includes('outside') ? causes : []))).toEqual([]);
    return hazards(plan);
  };
  expect(reported('ec_1', null)).toEqual([`${line} (changed outside sluice)`]);
  expect(reported('ec_1', 'ec_2')).toEqual([`${line} (changed outside sluice)`]);
  expect(reported('ec_1', 'ec_2', 'ec_3')).toEqual([line]);
  expect(reported('ec_1', 'ec_2', 'ec_1')).toEqual([line]);
  expect([reported('ec_1', 'ec_1'), reported(null, 'ec_1')]).toEqual([[], []]);
});
