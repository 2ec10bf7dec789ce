import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/model/stack.ts';
import {
  looserRules,
  recordedRules,
  type RecordedRules,
  type WatchRules,
} from '../../../src/stack/plan/looser-rules.ts';
import type { RunRecord } from '../../../src/state/run-record.ts';

interface Rules {
  readonly maxDeletes?: Policy['maxDeletes'];
  readonly block?: Policy['block'];
  readonly public?: readonly string[];
  readonly rules?: readonly object[];
  readonly exceptions?: readonly object[];
  readonly strict?: boolean;
  readonly source?: 'repository' | 'operator';
  readonly watch?: Partial<WatchRules>;
}

const watchDefaults: WatchRules = { apply_on_change: true, heal_drift: false, prune: false, renew: true, kinds: {} };

function policy({ maxDeletes = { count: 3 }, block = [], source = 'repository', watch: _, ...access }: Rules): Policy {
  return { maxDeletes, block, access: [{ source, rules: [], exceptions: [], ...access }] } as unknown as Policy;
}

function recorded(rules: Rules): RecordedRules {
  return recordedRules(policy(rules), { ...watchDefaults, ...rules.watch });
}

/** What is looser now than in the last run. */
function looser(before: Rules, now: Rules): readonly string[] {
  const last = { began: '2026-03-02T12:00:00.000Z', rules: recorded(before) } as RunRecord;
  const [warning, ...more] = looserRules(last, recorded(now));
  expect(more).toEqual([]);
  return warning === undefined ? [] : warning.message.replace(/^.*?\): /, '').split('; ');
}

const [admin, staff] = [
  { name: 'admin', urls: ['shop.example.com/admin*'], require: ['named_users'] },
  { name: 'staff', urls: ['mail.example.com'], require: ['sign_in'] },
];

const exception = { rule: 'admin', url: 'x.example.com' };

describe('a warning reports that sluice.yaml allows more', () => {
  test.each<[string, Rules, Rules, string]>([
    ['deletions', {}, { maxDeletes: { count: 4 } }, '`policy.max_deletes` is 4 (was 3)'],
    [
      'of a share',
      { maxDeletes: { percent: 9 } },
      { maxDeletes: { percent: 10 } },
      '`policy.max_deletes` is 10% (was 9%)',
    ],
    ['as a share', {}, { maxDeletes: { percent: 1 } }, '`policy.max_deletes` is 1% (was 3)'],
    ['hazards', { block: ['OPENS_ACCESS'] }, {}, '`policy.block` no longer lists OPENS_ACCESS'],
    ['public URLs', { public: [] }, {}, '`access.public` is no longer declared'],
    [
      'one more',
      { public: ['a.example.com'] },
      { public: ['b.example.com', 'a.example.com'] },
      '`access.public` now lists b.example.com',
    ],
    ['what a rule forbade', { rules: [admin, staff] }, { rules: [staff] }, 'the access rule admin is removed'],
    [
      'by another rule',
      { rules: [admin] },
      { rules: [{ ...admin, require: ['sign_in'] }] },
      'the access rule admin has changed',
    ],
    [
      'an exception',
      {},
      { exceptions: [{ rule: 'admin', url: 'x.example.com' }] },
      'there is a new exception to the access rule admin at x.example.com',
    ],
    [
      'for longer',
      { exceptions: [{ ...exception, until: '2026-01-31' }] },
      { exceptions: [{ ...exception, until: '2999-12-31' }] },
      'the exception to the access rule admin at x.example.com lasts until 2999-12-31 (was 2026-01-31)',
    ],
    [
      'public URLs by the first list, where what becomes public was blocked',
      { block: ['EXPOSES_PUBLICLY'] },
      { block: ['EXPOSES_PUBLICLY'], public: ['*'] },
      '`access.public` now lists *',
    ],
    [
      'a watch to apply unasked',
      { watch: { apply_on_change: false } },
      {},
      '`watch.apply_on_change` is true (was false)',
    ],
    ['it to delete', {}, { watch: { prune: true } }, '`watch.prune` is true (was false)'],
    ['it to renew', { watch: { renew: false } }, {}, '`watch.renew` is true (was false)'],
    [
      'it to revert drift',
      { watch: { kinds: { HTTPSEdge: 'heal' } } },
      { watch: { heal_drift: true } },
      '`watch.heal_drift` is true (was false)',
    ],
    [
      'it to revert drift of one kind',
      { watch: { kinds: { HTTPSEdge: 'report' } } },
      { watch: { kinds: { HTTPSEdge: 'heal' } } },
      '`watch` now reverts drift of HTTPSEdge',
    ],
    [
      'it to revert drift of a kind that it only reported',
      { watch: { heal_drift: true, kinds: { HTTPSEdge: 'report' } } },
      { watch: { heal_drift: true } },
      '`watch` now reverts drift of HTTPSEdge',
    ],
    ['without strict', { strict: true }, {}, '`access.strict` is no longer true'],
  ])('%s', (_, before, now, message) => {
    expect(looser(before, now)).toEqual([message]);
    expect(looser(now, now)).toEqual([]);
  });
});

test.each<[string, Rules, Rules]>([
  ['fewer deletions', {}, { maxDeletes: { count: 2 } }],
  ['a smaller share', { maxDeletes: { percent: 10 } }, { maxDeletes: { percent: 9 } }],
  ['more hazards that are blocked', {}, { block: ['OPENS_ACCESS'] }],
  ['public URLs declared', {}, { public: ['a.example.com'] }],
  ['fewer of them', { public: ['b.example.com', 'a.example.com'] }, { public: ['a.example.com'] }],
  ['another rule', {}, { rules: [admin] }],
  [
    'an exception that ends earlier',
    { exceptions: [{ ...exception, until: '2027-01-01' }] },
    { exceptions: [{ ...exception, until: '2026-01-01' }] },
  ],
  [
    'a watch that asks',
    { watch: { heal_drift: true, prune: true } },
    { watch: { apply_on_change: false, renew: false } },
  ],
  [
    'drift that is only reported',
    { watch: { heal_drift: true } },
    { watch: { heal_drift: true, kinds: { HTTPSEdge: 'report' } } },
  ],
  ['an exception that ended', { exceptions: [{ rule: 'admin', url: 'x.example.com' }] }, {}],
  ['strict', {}, { strict: true }],
  ['other rules of the operator', { rules: [admin], source: 'operator' }, { source: 'operator' }],
])('there is no warning of what is stricter: %s', (_, before, now) => {
  expect(looser(before, now)).toEqual([]);
});

test('of a run that recorded no rules, nothing is known', () => {
  expect(looserRules({ began: '' } as RunRecord, recorded({}))).toEqual([]);
});

test('of a record of an earlier version, what it lacks is not known', () => {
  const { watch: _, until: __, ...older } = recorded({ exceptions: [exception], watch: { prune: false } });
  const now = recorded({ exceptions: [{ ...exception, until: '2999-12-31' }], watch: { prune: true } });
  expect(looserRules({ began: '', rules: older } as RunRecord, now)).toEqual([]);
});
