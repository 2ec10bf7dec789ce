import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { Secret } from '../../../src/kinds/value.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { planJson } from '../../../src/render/plan/plan-json.ts';
import { planJsonSchema } from '../../../src/render/plan/plan-json-schema.ts';
import { change, field, newShop, planOf } from '../plans.ts';

interface Shown {
  readonly resource_changes: readonly {
    readonly change: Record<string, unknown>;
    readonly requests: readonly string[];
  }[];
  readonly requests: readonly { readonly path: string }[];
  readonly summary: Record<string, number>;
}

function shown(plan: Parameters<typeof planJson>[0]): Shown {
  return JSON.parse(jsonText(planJson(plan, { kinds }))) as Shown;
}

describe('a plan as JSON', () => {
  test('has the shape of a Terraform plan: actions, before, after, what is not known yet', () => {
    const [edge, route] = shown(newShop).resource_changes;
    expect(edge?.change).toEqual({
      actions: ['create'],
      before: null,
      after: { hostports: ['shop.example.com:443'], description: 'Public shop' },
      after_unknown: { id: true },
      before_sensitive: {},
      after_sensitive: {},
      replace_paths: [],
    });
    expect(route?.change['after_unknown']).toEqual({ id: true, edge_id: true });
    expect(route?.requests).toEqual(['HTTPSEdgeRoute/shop:console create']);
  });

  test('has the verdict on an access rule as its schema lists it, each one', () => {
    for (const verdict of ['holds', 'broken', 'unproven'] as const) {
      const own = {
        verdict: verdict === 'holds' ? 'unproven' : verdict,
        address: 'HTTPSEdgeRoute/shop:/',
        missing: [],
      };
      const rule = { rule: 'admin', source: 'operator', isBreach: false, isAllowed: false, omitted: 0 } as const;
      const rules = [
        {
          ...rule,
          verdict,
          now: verdict,
          breachesNow: [],
          findings: [{ ...own, causes: [] }],
          causes: [],
          exceptions: [],
        },
      ];
      expect(planJsonSchema.parse(shown({ ...newShop, rules })).access_rules).toMatchObject([
        { verdict, verdict_now: verdict, findings: [{ verdict: own.verdict }] },
      ]);
    }
  });

  test('marks secrets as sensitive and reports whether they change', () => {
    const text = jsonText(planJson(newShop, { kinds }));
    expect(text).not.toContain('hunter2');
    expect(shown(newShop).resource_changes[1]?.change['after']).toMatchObject({
      oauth: { provider: { github: { client_secret: { sensitive: true, changed: true } } } },
    });
    const kept = { oidc: { client_secret: new Secret('same') } };
    const plan = planOf([
      change({
        address: 'HTTPSEdgeRoute/a:b',
        action: 'update',
        fields: [field('match', '/a', '/b')],
        actual: kept,
        desired: kept,
      }),
    ]);
    expect(shown(plan).resource_changes[0]?.change['after']).toEqual({
      match: '/b',
      oidc: { client_secret: { sensitive: true, changed: false } },
    });
  });

  test('names the paths that force a replacement, and its order', () => {
    const region = { ...field('region', 'us', 'eu'), immutable: true };
    const plan = planOf([
      change({
        address: 'ReservedAddr/mqtt',
        action: 'replace-create-first',
        actual: { region: 'us' },
        desired: { region: 'eu' },
        fields: [region],
      }),
    ]);
    expect(shown(plan).resource_changes[0]?.change).toMatchObject({
      actions: ['create', 'delete'],
      replace_paths: [['region']],
    });
    expect(shown(plan).summary).toMatchObject({ replace: 1, requests: 0 });
  });

  test('writes ids not known yet in paths as addresses', () => {
    expect(shown(newShop).requests.map(({ path }) => path)).toEqual([
      '/edges/https',
      '/edges/https/{HTTPSEdge/shop}/routes',
    ]);
  });

  test('holds no character that acts on a terminal', () => {
    const text = jsonText({ text: 'a\u{9b}b\u{202e}c\u{e0041}' });
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(JSON.parse(text)).toEqual({ text: 'a\u{9b}b\u{202e}c\u{e0041}' });
  });
});
