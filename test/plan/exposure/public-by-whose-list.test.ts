import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../src/model/stack.ts';
import { whyApproval } from '../../../src/plan/policy.ts';
import { backend, blocked, hazards, hazardsOf, oauth, planOf, type Specs } from '../support.ts';

const shop: Specs = {
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
  'HTTPSEdgeRoute/shop:/': backend,
};
const block = ['EXPOSES_PUBLICLY'];
const all = ['*'];
const becomesPublic = 'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/… becomes public: anyone can reach it';
const byOperator = ['OPERATOR_POLICY HTTPSEdgeRoute/shop:/'];
const byRepository = ['POLICY HTTPSEdgeRoute/shop:/'];

interface Side {
  readonly block?: readonly string[];
  readonly public?: readonly string[];
}

/** A plan that makes a shop public, where the two sides have these policies. */
function plan(repository: Side, operator?: Side, allow: readonly string[] = []) {
  const access = [
    { source: 'repository', ...listOf(repository) },
    { source: 'operator', ...listOf(operator) },
  ].filter((set) => 'public' in set);
  const policy = {
    maxDeletes: { count: 100 },
    block: repository.block ?? [],
    ...listOf(repository),
    access: access.map((set) => ({ ...set, rules: [], exceptions: [], strict: false })),
    ...(operator === undefined ? {} : { operator: { block: operator.block ?? [] } }),
  } as Policy;
  return planOf({ wanted: shop, policy, input: { allow } });
}

function listOf(side: Side | undefined): Side {
  return side?.public === undefined ? {} : { public: side.public };
}

describe('what the operator blocks from becoming public', () => {
  test('is blocked although access.public of the repository lists it, and no flag allows it', () => {
    for (const allow of [[], block]) {
      const found = plan({ public: all }, { block }, allow);
      expect(hazards(found)).toEqual([`${becomesPublic}, and only access.public of sluice.yaml lists it`]);
      expect(blocked(found)).toEqual(byOperator);
      expect(found.publicByPolicy).toEqual([]);
    }
  });

  test('is blocked where neither side lists it', () => {
    expect(blocked(plan({}, { block }))).toEqual(byOperator);
    expect(blocked(plan({}, { block, public: ['www.example.com/*'] }))).toEqual(byOperator);
  });

  test('is not blocked where the list of the operator has it', () => {
    const found = plan({}, { block, public: ['shop.example.com/*'] });
    expect(hazards(found)).toEqual([becomesPublic]);
    expect(blocked(found)).toEqual([]);
  });

  test('is public on purpose where both sides list it', () => {
    const found = plan({ public: all }, { block, public: all });
    expect(hazards(found)).toEqual([]);
    expect(found.publicByPolicy).toEqual(['https://shop.example.com/…']);
  });

  test('is blocked in the part that the operator does not list', () => {
    const found = plan({ public: all }, { block, public: ['shop.example.com/docs*'] });
    expect(found.hazards.map(({ urls }) => urls)).toEqual([['https://shop.example.com/…']]);
    expect(found.publicByPolicy).toEqual(['https://shop.example.com/docs…']);
    expect(blocked(found)).toEqual(byOperator);
  });
});

describe('what the repository blocks from becoming public', () => {
  test('is blocked although the list of the operator has it', () => {
    expect(blocked(plan({ block }, { block, public: all }))).toEqual(byRepository);
    expect(blocked(plan({ block }, { public: all }))).toEqual(byRepository);
    expect(blocked(plan({ public: [] }, { block, public: all }))).toEqual(byRepository);
  });

  test('is not blocked by the repository once its own list has it', () => {
    expect(blocked(plan({ block, public: all }))).toEqual([]);
    const [hazard] = plan({ block, public: all }, { block }).hazards;
    expect(hazard).toMatchObject({ code: 'EXPOSES_PUBLICLY', listedBy: 'repository' });
    expect(hazard && whyApproval(hazard, new Set(block))).toBeUndefined();
  });
});

describe('a list is about where requests arrive', () => {
  const edges: Specs = {
    'HTTPSEdge/www': { hostports: ['www.example.com:443'] },
    'HTTPSEdgeRoute/www:/': backend,
    'HTTPSEdge/admin': { hostports: ['admin.example.com:443'] },
    'HTTPSEdgeRoute/admin:/': { ...backend, ...oauth },
  };
  const wanted = { ...edges, 'HTTPSEdgeRoute/admin:www.example.com/': backend };

  test('and not about the Host header that they may have there', () => {
    const policy = { maxDeletes: { count: 100 }, block: [], public: ['www.example.com/*'] };
    const found = planOf({ wanted, ours: edges, policy });
    expect(hazardsOf(found, 'EXPOSES_PUBLICLY')).toEqual([
      'EXPOSES_PUBLICLY HTTPSEdge/admin: https://www.example.com/… at admin.example.com:443 becomes public: anyone can reach it, and access.public does not list it',
    ]);
    expect(blocked(found)).toEqual(['POLICY HTTPSEdgeRoute/admin:www.example.com/']);
    expect(found.publicByPolicy).toEqual([]);
  });

  test('nor where another stack serves the host that they have there', () => {
    const policy = { maxDeletes: { count: 100 }, block: [], public: ['www.example.com/*'] };
    const { 'HTTPSEdge/www': _, 'HTTPSEdgeRoute/www:/': __, ...ours } = edges;
    const found = planOf({ wanted: { ...ours, 'HTTPSEdgeRoute/admin:www.example.com/': backend }, ours, policy });
    expect(blocked(found)).toEqual(['POLICY HTTPSEdgeRoute/admin:www.example.com/']);
    expect(found.publicByPolicy).toEqual([]);
  });

  test('so it lists a host that arrives at a wildcard and is served nowhere else', () => {
    const wildcard = {
      'HTTPSEdge/all': { hostports: ['*.example.com:443'] },
      'HTTPSEdgeRoute/all:www.example.com/': backend,
    };
    const policy = { maxDeletes: { count: 100 }, block: [], public: ['www.example.com/*'] };
    expect(planOf({ wanted: wildcard, policy }).publicByPolicy).toEqual(['https://www.example.com/…']);
    const beside = planOf({ wanted: { ...wildcard, 'HTTPSEdge/www': { hostports: ['www.example.com:443'] } }, policy });
    expect(blocked(beside)).toEqual(['POLICY HTTPSEdgeRoute/all:www.example.com/']);
  });
});
