/*
 * A plan file may come from a job that nobody trusts: `sluice comment` shows it where people decide. Here every value of
 * plans is exchanged in turn, for a hostile text and for a value of another type, and the file is sealed again, as anyone
 * can: checksum, digest and the approved part fit. Such a file is refused, or what is shown of it is harmless.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sortedJson } from '../../src/derive/sorted-json.ts';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Verification } from '../../src/model/verification.ts';
import { comparable } from '../../src/plan/saved/comparable.ts';
import { decodeValue, shownSecret } from '../../src/plan/saved/encoded.ts';
import { readSavedPlan, writeSavedPlan } from '../../src/plan/saved/saved-plan.ts';
import { planDetails } from '../../src/model/plan/plan-detail.ts';
import { present } from '../../src/model/present.ts';
import { planMarkdown } from '../../src/render/plan/plan-markdown.ts';
import { planText } from '../../src/render/plan/plan-text.ts';
import { plain } from '../../src/render/text/palette.ts';
import { sampleSize } from '../support/samples.ts';
import { goldenAccounts } from './golden-accounts.ts';
import { goldenPlan } from './golden-plan.ts';
import { expectHarmlessMarkdown, expectHarmlessText, site } from './harmless.ts';
import { change, field, newShop, planOf } from './plans.ts';

const digester = (text: string): string => `digest of ${text}`;
const hostile = '-->\n| @all | <img src=x onerror=a()> `` [x](javascript:a()) \u{202e} ::error::x ##[add-mask]x';
const others = [hostile, 7, null, { $secret: { digest: 'x', origin: 'x' } }, [hostile]] as const;

// Enough to reach every field of every part of the shape, whatever the plan is.
const mostTried = sampleSize(60, 150);

describe('a plan file that anyone may have written', () => {
  test('holds plans that sluice makes', async () => {
    for (const account of goldenAccounts.filter((_, at) => at % 4 === 0)) {
      const plan = await goldenPlan(account);
      expect(read(sealed(plan)).changes).toHaveLength(plan.changes.length);
    }
  });

  test.each([['every part of a plan', wholePlan()], ['a shop', newShop] as const])(
    'with another value in the place of one of %s',
    (_, plan) => {
      const text = sealed(plan);
      const paths = pathsIn((JSON.parse(text) as { plan: unknown }).plan);
      const tried = paths.length * others.length;
      let refused = 0;
      for (const [at, path] of paths.entries())
        for (const [which, other] of others.entries()) {
          if (tried > mostTried && (at + which) % Math.ceil(tried / mostTried) !== 0) continue;
          if (!isHarmless(forged(text, path, other))) refused++;
        }
      expect(refused).toBeGreaterThan(0);
    },
  );

  test('with another value in the place of one of the parts', () => {
    const text = sealed(wholePlan());
    const paths = pathsIn((JSON.parse(text) as { parts: unknown }).parts);
    for (const [at, path] of paths.entries()) isHarmless(forged(text, path, others[at % others.length], 'parts'));
    for (const path of [['base', 'commit'], ['thisChange', 0, 'action'], ['pending']])
      expect([path, isHarmless(forged(text, path, '<b>', 'parts'))]).toEqual([path, false]);
  });

  test('has names that act on no terminal', () => {
    const path = [hostile, 'x'];
    const changes = [
      change({
        address: 'HTTPSEdge/shop',
        action: 'update',
        shows: { [hostile]: 'x' },
        fields: [{ ...field('a', 'b', 'c'), path }],
      }),
    ];
    expect(isHarmless(sealed(planOf(changes, {})))).toBe(true);
  });

  test('is shown in words of this version alone', () => {
    const text = sealed(wholePlan());
    for (const path of [
      ['hazards', 0, 'code'],
      ['changes', 0, 'blocked', 'code'],
      ['diagnostics', 0, 'severity'],
      ['changes', 0, 'action'],
      ['rules', 0, 'verdict'],
      ['rules', 0, 'findings', 0, 'missing', 0],
    ])
      expect([path, isHarmless(forged(text, path, '<b>'))]).toEqual([path, false]);
  });
});

/** Whether a file is accepted; what is shown of it is harmless then. */
function isHarmless(text: string): boolean {
  let saved: ReturnType<typeof readSavedPlan>;
  try {
    saved = readSavedPlan(text, 'pr.plan', () => digester);
  } catch (error) {
    expect(error).toBeInstanceOf(SluiceError);
    return false;
  }
  const { plan, parts, verified } = saved;
  expectHarmlessText(planText(plan, { kinds, palette: plain, requests: true, ...present({ parts, verified }) }));
  for (const detail of planDetails)
    expectHarmlessMarkdown(
      planMarkdown(saved.plan, {
        kinds,
        parts: saved.parts,
        platform: 'github',
        digest: 'sha256:5c1e7a90',
        time: '2026-03-01T09:00:00.000Z',
        repository: { url: site, revision: '4f2d1c', folder: '' },
        run: { commit: '4f2d1c0', url: `${site}-/jobs/1)<img>[x](javascript:a()` },
        detail,
      }),
    );
  return true;
}

function read(text: string): Plan {
  return readSavedPlan(text, 'pr.plan', () => digester).plan;
}

function sealed(plan: Plan): string {
  return writeSavedPlan({
    plan,
    verified: proof,
    parts: {
      base: { ref: 'main', commit: 'a'.repeat(40), ahead: 1 },
      thisChange: plan.changes,
      pending: plan.changes,
      applied: { commit: 'b'.repeat(40), drift: plan.changes, notApplied: plan.changes },
    },
    desired: { resources: [], diagnostics: [], complete: true },
    bound: { stack: 'company/5c1e7a90', baseUrl: 'embedded', version: '0.0.0' },
    run: {
      described: [],
      targets: [],
      allow: [],
      resendSecrets: false,
      allowEmpty: false,
      acceptMissing: false,
      keepOldest: false,
    },
    savedAt: '2026-03-01T09:00:00.000Z',
    salt: 'salt-of-the-tests',
    secretDigest: digester,
  }).text;
}

/** The file with another value at one place of its plan, or of another part, sealed again. */
function forged(text: string, path: readonly (string | number)[], value: unknown, part = 'plan'): string {
  const { digest: _, ...content } = JSON.parse(text) as Record<string, unknown>;
  const [last = '', ...above] = path.toReversed();
  const parent = above.toReversed().reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], content[part]);
  (parent as Record<string, unknown>)[last] = value;
  try {
    const plan = decodeValue(content['plan'], shownSecret) as Plan;
    content['approved'] = [...comparable(plan, (digest) => digest, digester)];
  } catch {
    // What cannot be compared is refused for that.
  }
  const digest = `sha256:${createHash('sha256').update(sortedJson(content)).digest('hex')}`;
  return JSON.stringify({ ...content, digest });
}

function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...(path.length === 0 ? [] : [path]), ...entries.flatMap(([key, item]) => pathsIn(item, [...path, key]))];
}

const proof: Verification = { converges: false, requests: 1, failures: [], remaining: [], assumptions: ['x'] };

/** A plan in which every part that a file can hold is there once. */
function wholePlan(): Plan {
  const place = { file: 'shop.yaml', line: 1, col: 1 };
  const marker = { s: 'company/5c1e7a90', a: 'HTTPSEdge/shop', p: '', n: '' };
  return planOf(
    [
      change({
        address: 'HTTPSEdge/shop',
        action: 'update',
        id: 'edghts_1',
        parent: 'x',
        movedFrom: 'HTTPSEdge/old',
        place,
        lastSource: 'shop.yaml:1',
        fields: [
          { ...field('description', 'a', 'b'), reason: 'both', applied: 'c', items: { file: 'f', lines: { '/a': 1 } } },
        ],
        why: ['because'],
        desired: { description: 'b' },
        actual: { description: 'a' },
        shows: { hostports: ['shop.example.com:443'] },
        marker,
        markerBefore: { ...marker, p: 'p' },
        deletedOutside: { id: 'x', spec: {} },
        markerDrifted: true,
        unmanagedFields: { '/a': 'ignored' },
        unverified: ['/a'],
        deletedWith: 'HTTPSEdge/other',
        blocked: { code: 'OPERATOR_POLICY', message: 'no' },
      }),
    ],
    {
      steps: [
        {
          id: 'HTTPSEdge/shop update',
          address: 'HTTPSEdge/shop',
          role: 'update',
          request: {
            method: 'PATCH',
            path: ['/edges/https/', { id: 'edghts_1' }],
            body: { description: 'b' },
            marker: { field: 'metadata', marker },
            validFor: { field: 'valid_until', seconds: 60 },
          },
          note: 'x',
          dependsOn: [{ step: 'x', reason: 'y' }],
        },
      ],
      files: [{ address: 'HTTPSEdge/shop', path: 'a.pem', reason: 'issued' }],
      hazards: [
        {
          code: 'OPENS_ACCESS',
          address: 'HTTPSEdge/shop',
          message: 'm',
          urls: ['https://a/'],
          asked: { before: 'a', after: '' },
        },
        { code: 'LOSES_ADDRESS', address: 'HTTPSEdge/shop', message: 'm', temporary: true },
      ],
      diagnostics: [
        { code: 'UNKNOWN_VALUE', severity: 'warning', message: 'm', hint: 'h', place, address: 'HTTPSEdge/shop' },
      ],
      unresolved: [{ address: 'HTTPSEdge/lost', kind: 'HTTPSEdge' }],
      publicByPolicy: ['https://a/'],
      exposureChanges: [
        {
          urls: ['https://a/'],
          before: { audience: 'nobody', who: 'nobody', requires: [] },
          after: {
            audience: 'restricted',
            who: 'authentication',
            requires: ['authentication'],
            route: 'HTTPSEdgeRoute/shop:/',
          },
        },
      ],
      externals: { bkd_1: 'External/shop' },
      rules: [
        {
          rule: 'people',
          source: 'operator',
          verdict: 'broken',
          now: 'broken',
          breachesNow: [
            {
              verdict: 'unproven',
              address: 'HTTPSEdge/shop',
              missing: ['named_users'],
              fact: 'TLS is terminated upstream',
              causes: [],
            },
          ],
          isBreach: true,
          isAllowed: false,
          findings: [
            {
              verdict: 'broken',
              address: 'HTTPSEdge/shop',
              request: 'GET https://a/',
              temporary: true,
              missing: ['named_users'],
              place,
              causes: ['HTTPSEdge/shop'],
            },
          ],
          omitted: 0,
          causes: ['HTTPSEdge/shop'],
          exceptions: [{ rule: 'people', url: 'https://b/', reason: 'r', until: '2027-01-31', ends: 'soon' }],
        },
      ],
    },
  );
}
