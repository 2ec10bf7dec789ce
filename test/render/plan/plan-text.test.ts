import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { Secret, type SpecObject } from '../../../src/kinds/value.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { ansi, plain } from '../../../src/render/text/palette.ts';
import { planText, type PlanTextOptions } from '../../../src/render/plan/plan-text.ts';
import { change, field, newShop, planOf } from '../plans.ts';

function print(plan: Plan, options: Partial<PlanTextOptions> = {}): string {
  return planText(plan, { kinds, palette: plain, ...options });
}

describe('a plan as text', () => {
  test('shows everything of what is created, masks secrets, names ids not known yet, and shows what it depends on', () => {
    expect(print(newShop)).toBe(`+ HTTPSEdge/shop  manifests/shop.yaml:4 · hostports [shop.example.com:443]
    description: "Public shop"
    hostports: [shop.example.com:443]

+ HTTPSEdgeRoute/shop:console  manifests/shop.yaml:9
    edge_id: {HTTPSEdge/shop}
    match_type: path_prefix
    match: /console
    compression: {}
    oauth.provider.github.client_id: shop
    oauth.provider.github.client_secret: (secret)
    depends on HTTPSEdge/shop

2 to create; 2 API requests.
`);
  });

  test('lists the requests in order when asked, with their bodies masked', () => {
    const text = print(newShop, { requests: true });
    expect(text).toContain('   1. POST /edges/https\n');
    expect(text).toContain('   2. POST /edges/https/{HTTPSEdge/shop}/routes\n');
    expect(text).toContain('"client_secret":"(secret)"');
    expect(text).toContain('(generated at apply)');
    expect(text).toContain('after request 1 (it lives there)');
    expect(text).not.toContain('hunter2');
  });

  test('reports in words why a field differs, and tells sets by their entries', () => {
    const plan = planOf([
      change({
        address: 'HTTPSEdge/shop',
        action: 'update',
        id: 'edghts_1',
        fields: [
          { ...field('description', 'Shop', 'Public shop'), reason: 'drifted' },
          field('hostports', ['a.example.com:443', 'b.example.com:443'], ['B.example.com:443', 'c.example.com:443']),
          { ...field('tls_termination.min_version', undefined, '1.2'), reason: 'unknown' },
        ],
      }),
    ]);
    expect(print(plan)).toBe(`~ HTTPSEdge/shop  edghts_1
    hostports:  (manifest changed)
        - a.example.com:443
        + c.example.com:443
    tls_termination.min_version: (not set) -> "1.2"  (cause unknown without state: manifest change or drift)
    the resource also drifted, see below

Drift since the last apply; apply reverts it.

~ HTTPSEdge/shop  edghts_1
    description: Shop -> "Public shop"  (drift)

1 to update; 0 API requests; 1 drifted.
`);
  });

  test('does not depend on the order in which a manifest was written (law 8)', () => {
    const written = (desired: SpecObject): string =>
      print(planOf([change({ address: 'HTTPSEdge/shop', action: 'create', desired })]));
    expect(written({ hostports: ['b.example.com:443', 'a.example.com:443'], description: 'Shop' })).toBe(
      written({ description: 'Shop', hostports: ['a.example.com:443', 'b.example.com:443'] }),
    );
  });

  test('reports that a secret changed and nothing more', () => {
    const secret = {
      ...field('oidc.client_secret', new Secret('hunter2'), new Secret('correct horse')),
      secret: true,
    };
    const text = print(planOf([change({ address: 'HTTPSEdgeRoute/a:b', action: 'update', fields: [secret] })]));
    expect(text).toContain('oidc.client_secret: (secret) -> (secret, changed)');
    expect(text).not.toMatch(/hunter2|correct horse/);
  });

  test('names the field that forces a replacement', () => {
    const region = { ...field('region', 'us', 'eu'), immutable: true };
    const plan = planOf([change({ address: 'ReservedAddr/mqtt', action: 'replace-create-first', fields: [region] })]);
    expect(print(plan)).toContain(
      '± ReservedAddr/mqtt\n    the new resource is created first, then the old resource is deleted\n    permanently lost: the assigned address\n    region: us -> eu  (manifest changed; the field cannot be changed in place)',
    );
  });

  test('shows a module that goes with all it held but what it had by default', () => {
    const gone = field('oauth', { enabled: true, provider: { google: { email_domains: ['example.com'] } } }, undefined);
    const plan = planOf([change({ address: 'HTTPSEdgeRoute/shop:/', action: 'update', fields: [gone] })]);
    expect(print(plan)).toContain(`    oauth: removed  (manifest changed)
        - oauth.provider.google.email_domains: [example.com]
`);
  });

  test('tells long texts by the lines that differ', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `rule ${String(index)}`);
    const other = lines.with(12, 'rule twelve');
    const value = field('traffic_policy.value', lines.join('\n'), other.join('\n'));
    const text = print(planOf([change({ address: 'HTTPSEdgeRoute/shop:/', action: 'update', fields: [value] })]));
    expect(text).toContain('- rule 12');
    expect(text).toContain('+ rule twelve');
    expect(text).not.toContain('rule 20');
  });

  test('tells texts that share nothing by size and digest', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 20_000 }, (_, index) => letter + String(index)).join('\n'),
    );
    const value = field('traffic_policy.value', before, after);
    const text = print(planOf([change({ address: 'HTTPSEdgeRoute/shop:/', action: 'update', fields: [value] })]));
    expect(text).toMatch(/\(20000 lines, \d+ bytes, sha256 [0-9a-f]{12}\)\n +\+ \(20000 lines/);
  });

  test('puts hazards first, and reports which changes are blocked', () => {
    const plan = planOf(
      [
        change({
          address: 'ReservedAddr/mqtt-eu',
          action: 'delete',
          why: ['not in the manifests'],
          blocked: { code: 'PROTECTED', message: 'a deleted address cannot be recovered' },
        }),
      ],
      { hazards: [{ code: 'LOSES_ADDRESS', address: 'ReservedAddr/mqtt-eu', message: 'it would be lost' }] },
    );
    expect(print(plan)).toBe(`! LOSES_ADDRESS  ReservedAddr/mqtt-eu: it would be lost

- ReservedAddr/mqtt-eu
    not in the manifests
    permanently lost: the assigned address
    BLOCKED PROTECTED: a deleted address cannot be recovered

1 to delete; 0 API requests; 1 blocked, so the plan cannot be applied.
`);
  });

  test('hides and counts what matches', () => {
    const same = change({ address: 'ReservedAddr/mqtt-eu', action: 'none' });
    expect(print(planOf([same]))).toBe('No changes. 1 resource in sync.\n');
  });

  test('reports that a targeted plan does not consider deletes', () => {
    expect(print(planOf([], { complete: false }))).toContain(
      'Targeted plan: resources that are not targeted are not deleted.',
    );
  });

  test('lets no text from outside act on the terminal', () => {
    const evil = field('description', undefined, 'a\u{1b}[2Jb\u{202e}c');
    const plan = planOf([change({ address: 'HTTPSEdge/shop', action: 'update', why: ['\u{9b}1m'], fields: [evil] })]);
    expect(print(plan)).not.toMatch(/[\u{1b}\u{9b}\u{202e}]/u);
  });

  test('is the same text in colour, but for the colours', () => {
    const coloured = print(newShop, { palette: ansi, requests: true });
    expect(coloured).toContain('\u{1b}[32m+');
    expect(coloured.replaceAll(/\u{1b}\[\d+m/gu, '')).toBe(print(newShop, { requests: true }));
  });

  test('breaks lines to fit the width', () => {
    const lines = print(newShop, { width: 40 }).split('\n');
    expect(lines.filter((line) => line.length > 46)).toEqual([]);
  });
});
