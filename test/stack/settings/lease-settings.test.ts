import { expect, test } from 'vitest';
import { leaseTiming, unsafeLease } from '../../../src/stack/settings/lease-settings.ts';

const safe = { duration: '60s', heartbeat: '10s', store_deadline: '7s', write_deadline: '20s', margin: '6s' };
const placeOf = (path: readonly (string | number)[]) => ({ file: path.join('.'), line: 1, col: 1 });
const found = (lease: Partial<typeof safe>) =>
  unsafeLease({ settings: { state: { lease: { ...safe, ...lease } } }, placeOf } as never);

test('the durations of a lease are in milliseconds, whatever their units', () => {
  expect(leaseTiming({ lease: { ...safe, duration: '2m' } })).toEqual({
    durationMs: 120_000,
    heartbeatMs: 10_000,
    storeDeadlineMs: 7_000,
    writeDeadlineMs: 20_000,
    marginMs: 6_000,
  });
});

test('durations that are safe together are no problem', () => {
  expect(found({})).toEqual([]);
});

test.each<[string, Partial<typeof safe>]>([
  ['a lease that ends before its holder could renew it', { duration: '10s' }],
  ['a heartbeat as long as the lease', { heartbeat: '60s' }],
  ['a lease that no run can read, because it is longer than an hour', { duration: '2h', margin: '20m' }],
])('%s is an error, which reports which durations contradict each other', (_, lease) => {
  expect(found(lease)).toEqual([
    {
      code: 'INVALID_SETTING',
      severity: 'error',
      message: expect.stringMatching(/^state\.lease is unsafe: .*(duration|heartbeat)/) as string,
      place: placeOf(['state', 'lease']),
    },
  ]);
});
