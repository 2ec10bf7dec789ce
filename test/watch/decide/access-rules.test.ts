import { expect, test } from 'vitest';
import type { RuleSource } from '../../../src/model/exposure/access-rules.ts';
import { planStack } from '../../../src/plan/plan.ts';
import { comparable } from '../../../src/plan/saved/comparable.ts';
import { atOnce } from '../../../src/model/sliced.ts';
import { selectApplicable, type ApplicableChanges } from '../../../src/watch/decide/select-applicable.ts';
import { backend, digest, inputOf, oauth } from '../../plan/support.ts';
import { afterChange } from '../../support/selection.ts';

/** What a watch does with a change that removes what a rule requires, and with one elsewhere. */
function selected(source: RuleSource, approve: boolean): ApplicableChanges {
  const ours = {
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
    'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth },
  };
  const rule = { name: 'all', urls: ['*'], require: ['authentication' as const], exceptMethods: [] };
  const input = inputOf({
    ours,
    wanted: { ...ours, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:/new': { ...backend, ...oauth } },
    policy: {
      maxDeletes: { count: 9 },
      block: [],
      access: [{ source, rules: [rule], exceptions: [], strict: false }],
    },
  });
  const full = planStack(input);
  const selection = selectApplicable(full, input, {
    ...afterChange(),
    digest,
    approved: approve
      ? new Map([...comparable(full, digest)].map(([address, part]) => [address, { part, cause: 'revision' as const }]))
      : new Map(),
  });
  return atOnce(selection);
}

/** Addresses that are applied, and pending ones with the reason. */
function outcome({ plan, pending }: ApplicableChanges): string[] {
  const applied = plan.changes.filter(({ action }) => action !== 'none').map(({ address }) => address);
  return [...applied, ...pending.map(({ address, reason, message }) => `${address} ${reason}: ${message}`)];
}

test('a change that breaks a rule of the repository waits for approval; others are applied', () => {
  expect(outcome(selected('repository', false))).toEqual([
    'HTTPSEdgeRoute/shop:/new',
    'HTTPSEdgeRoute/shop:/ approval: the change breaks access rule all',
  ]);
  expect(outcome(selected('repository', true))).toEqual(['HTTPSEdgeRoute/shop:/', 'HTTPSEdgeRoute/shop:/new']);
});

test('a change that breaks a rule of the operator is not applied, whatever is approved', () => {
  for (const approve of [false, true])
    expect(outcome(selected('operator', approve))).toEqual([
      'HTTPSEdgeRoute/shop:/new',
      'HTTPSEdgeRoute/shop:/ operator-policy: access rule all (set by the operator policy) does not allow the change',
    ]);
});
