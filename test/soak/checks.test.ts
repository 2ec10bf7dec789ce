import { describe, expect, test } from 'vitest';
import { deviations } from './account.ts';
import { badEnds, twoWriters, wrongDeeds } from './checks.ts';
import { beginnings, lastRevision } from './company.ts';
import { newLedger } from './ledger.ts';
import type { Life } from './replica.ts';
import type { Deed } from './service.ts';

describe('a deletion is right', () => {
  const ledger = newLedger(() => 100_000);
  ledger.stands(['ReservedAddr/a'], 0);
  ledger.stands(['ReservedAddr/a', 'ReservedAddr/b'], 100_000);
  const wrong = (given: Partial<Deed>): string[] => [...wrongDeeds([deletion(given)], { shop: ledger })];

  test('when a revision of the last while was without the resource', () => {
    expect(wrong({ at: 120_000, owner: { stack: 'shop', address: 'ReservedAddr/b' } })).toEqual([]);
    expect(wrong({ at: 160_000, owner: { stack: 'shop', address: 'ReservedAddr/b' } })).toHaveLength(1);
    expect(wrong({ at: 120_000, owner: { stack: 'shop', address: 'ReservedAddr/a' } })).toHaveLength(1);
  });

  test('when there were two of them', () => {
    expect(wrong({ at: 120_000, hasDuplicate: true })).toEqual([]);
  });

  test('never when it was another stack that made it, or nobody', () => {
    expect(wrong({ at: 120_000, owner: { stack: 'office', address: 'ReservedAddr/b' } })).toHaveLength(1);
    expect(wrong({ at: 120_000, owner: undefined })).toHaveLength(1);
  });

  test('when a person did it, whatever it was', () => {
    expect(wrong({ at: 120_000, by: 'person' })).toEqual([]);
  });
});

describe('a process that writes after another one has taken the lead is reported', () => {
  const line = (second: number, event: string, message = ''): string =>
    JSON.stringify({ time: new Date(second * 1_000).toISOString(), level: 'info', event, message });
  const leads = (second: number): string => line(second, 'role', 'this process is the leader');
  const left = life({ key: 'shop-left.0', lines: [leads(10)] });
  const found = (deeds: readonly Deed[], ...right: readonly string[]): string[] => [
    ...twoWriters(deeds, [left, life({ key: 'shop-right.1', lines: right })]),
  ];

  test('also when it writes long after', () => {
    expect(found([deletion({ at: 19_000 }), deletion({ at: 22_000 })], leads(20))).toEqual([]);
    expect(found([deletion({ at: 30_000 })], leads(20))).toHaveLength(1);
  });

  test('but not when the other one was stopped before it said so, and lost the lock meanwhile', () => {
    const lost = line(23, 'lock-lost');
    expect(found([deletion({ at: 30_000 })], leads(20), lost)).toEqual([]);
    expect(
      found([deletion({ at: 21_000, by: 'shop-right.1' }), deletion({ at: 30_000 })], leads(20), lost),
    ).toHaveLength(1);
  });
});

describe('an end', () => {
  const ended = '{"time":"","level":"info","event":"ended","message":"stopped"}';

  test.each([
    ['that was asked for', life({ signals: ['SIGTERM'], lines: [ended] }, 130)],
    ['that nobody can ask for', life({ signals: ['SIGSTOP', 'SIGCONT', 'SIGKILL'] }, 'SIGKILL')],
    ['where there is nothing to read', life({ lines: ['error: there is no sluice.yaml', '  hint'] }, 8)],
  ])('%s is right', async (_, given) => {
    expect(await all(badEnds([given]))).toEqual([]);
  });

  test.each([
    ['without a word', life({ signals: ['SIGTERM'] }, 130)],
    ['with another code', life({ signals: ['SIGTERM'], lines: [ended] }, 1)],
    ['of its own accord', life({ lines: [ended] }, 130)],
    ['after a minute', life({ signals: ['SIGTERM', 'SIGKILL'] }, 'SIGKILL')],
    ['with a stack trace', life({ signals: ['SIGTERM'], lines: ['    at async main.ts', ended] }, 130)],
  ])('%s is wrong', async (_, given) => {
    expect(await all(badEnds([given]))).toHaveLength(1);
  });
});

test('an account that lacks something, or has it otherwise, twice or in vain, is reported', () => {
  const wanted = { ...beginnings.office, items: beginnings.office.items.filter(({ name }) => name === 'badges') };
  const stored = (name: string, description: string): Parameters<typeof deviations>[0][number] => {
    const sluice = { s: 'office/0ff1ce00', a: `ReservedAddr/${name}`, p: '', n: '' };
    const spec = { region: 'eu', description, metadata: JSON.stringify({ sluice }) };
    return { kind: 'ReservedAddr', id: 'ra_1', seq: 1, created_at: '', spec, own: {} };
  };
  const found = (...resources: ReturnType<typeof stored>[]): string[] => [
    ...deviations(resources, 'office', wanted, ''),
  ];
  expect(found(stored('badges', 'badges'))).toEqual([]);
  expect(found()).toEqual(['ReservedAddr/badges is not there']);
  expect(found(stored('badges', 'badges'), stored('badges', 'badges'))).toEqual([
    'ReservedAddr/badges is there 2 times',
  ]);
  expect(found(stored('badges', 'badges'), stored('lifts', 'x'))).toEqual([
    'ReservedAddr/lifts is there and not wanted',
  ]);
  expect([...deviations([stored('badges', 'badges')], 'office', lastRevision(wanted), '')]).toHaveLength(1);
});

function deletion(given: Partial<Deed>): Deed {
  const owner = { stack: 'shop', address: 'ReservedAddr/a' };
  return { at: 0, by: 'shop-left.0', method: 'DELETE', path: '/x', owner, isEnd: true, hasDuplicate: false, ...given };
}

function life(given: Partial<Life>, code: number | string = 0): Life {
  return {
    key: 'shop-left.0',
    isContained: false,
    lines: [],
    signals: [],
    signal: () => undefined,
    isOver: () => true,
    ended: Promise.resolve({ code }),
    url: () => undefined,
    memory: () => undefined,
    ...given,
  };
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
