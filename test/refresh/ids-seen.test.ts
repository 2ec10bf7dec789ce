import { expect, test } from 'vitest';
import { type Account, type Actual, seenIds } from '../../src/model/actual.ts';

const one = (id: string): Actual => ({ kind: 'HTTPSEdge', id, spec: {}, computed: {} });
const account: Account = {
  ours: new Map([['HTTPSEdge/shop', one('ours')]]),
  foreign: [one('foreign')],
  complete: new Set(),
  missing: [],
  takenOver: new Map(),
  diagnostics: [],
};

test('every id that an account showed is seen, whoever has it', () => {
  const address = 'HTTPSEdge/shop';
  const found = seenIds({
    ...account,
    duplicates: [{ address, actual: one('duplicate') }],
    deposed: [{ address, actual: one('deposed') }],
    served: [{ server: 'serving' }, { server: undefined }] as never,
  });
  expect([...found].sort()).toEqual(['deposed', 'duplicate', 'foreign', 'ours', 'serving']);
});

test('an account that was asked for less shows less', () => {
  expect([...seenIds(account)].sort()).toEqual(['foreign', 'ours']);
});
