import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ref, Secret, type SpecObject } from '../../../src/kinds/value.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Change, Plan } from '../../../src/model/plan/plan.ts';
import type { Verification } from '../../../src/model/verification.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { plain } from '../../../src/render/text/palette.ts';
import { planJson } from '../../../src/render/plan/plan-json.ts';
import { planJsonSchema } from '../../../src/render/plan/plan-json-schema.ts';
import { planMarkdown, type PlanMarkdownOptions } from '../../../src/render/plan/plan-markdown.ts';
import { planText } from '../../../src/render/plan/plan-text.ts';
import { goldenAccounts } from '../golden-accounts.ts';
import { goldenPlan } from '../golden-plan.ts';
import { expectHarmlessMarkdown, expectHarmlessText, expectNothingActs, site } from '../harmless.ts';
import { sampleSize } from '../../support/samples.ts';
import { hostile } from '../hostile-text.ts';
import { change, field, planOf } from '../plans.ts';

const platforms = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
const runs = Number(process.env['RUNS'] ?? sampleSize(20, 300));

function comment(plan: Plan, options: Partial<PlanMarkdownOptions> = {}): string {
  return planMarkdown(plan, {
    kinds,
    platform: 'github',
    digest: 'sha256:5c1e7a90',
    time: '2026-03-01T09:00:00.000Z',
    repository: { url: site, revision: '4f2d1c', folder: 'stacks/prod' },
    ...options,
  });
}

/** A plan in which every text is one of those given, in turn. */
function planOfTexts(texts: readonly string[]): Plan {
  let at = 0;
  const next = (): string => texts[at++ % texts.length] ?? '';
  const address = (): string => `HTTPSEdge/${next()}`;
  const spec = (): SpecObject => ({
    description: next(),
    metadata: JSON.stringify({ [next()]: next() }),
    hostports: [next(), next()],
    mutual_tls: { certificate_authority_ids: [new Ref(address()), next()] },
  });
  const route = (): SpecObject => ({
    match: next(),
    request_headers: { add: { [next()]: next() } },
    saml: { idp_metadata: next() },
    traffic_policy: { value: next() },
    oidc: { issuer: next(), client_secret: new Secret('hunter2') },
  });
  const facts = (): Partial<Change> => ({
    place: { file: next(), line: 3, col: 1 },
    id: next(),
    movedFrom: address(),
    why: [next(), next()],
    shows: { hostports: [next()] },
    unmanagedFields: { [next()]: 'ignored' },
    blocked: { code: 'PROTECTED', message: next() },
    deletedWith: address(),
  });
  const [one, two, three, four] = [address(), `HTTPSEdgeRoute/${next()}`, address(), `CertificateAuthority/${next()}`];
  const changes = [
    change({ ...facts(), address: one, action: 'create', desired: spec() }),
    change({
      ...facts(),
      address: two,
      action: 'update',
      actual: route(),
      desired: route(),
      fields: [
        field('saml.idp_metadata', next(), next()),
        { ...field('traffic_policy.value', next(), next()), items: { file: next(), lines: { '/a/0': 3 } } },
        field('match', next(), next()),
        field(`request_headers.add.${next().replaceAll('.', '')}`, next(), next()),
        { ...field('oidc.client_secret', new Secret('hunter2'), new Secret('correct horse')), secret: true },
      ],
    }),
    change({ ...facts(), address: three, action: 'delete', actual: spec() }),
    change({
      ...facts(),
      address: four,
      kind: 'CertificateAuthority',
      action: 'update',
      fields: [field('ca_pem', next(), next()), field('metadata', next(), next())],
    }),
  ];
  return planOf(changes, {
    stack: { name: next(), id: next() },
    externals: { [next()]: address() },
    hazards: [one, two, three].map((at) => ({ code: 'OPENS_ACCESS' as const, address: at, message: next() })),
    diagnostics: [
      {
        code: 'SYNTAX_ERROR',
        severity: 'warning',
        address: address(),
        message: next(),
        place: { file: next(), line: 1, col: 1 },
      },
    ],
    steps: [
      {
        id: `${one} create`,
        address: one,
        role: 'create',
        request: { method: 'POST', path: ['/edges/https'], body: spec() },
        dependsOn: [{ step: 'x', reason: next() }],
        note: next(),
      },
    ],
  });
}

/** A proof that failed in these words. */
function proofOf(texts: readonly string[]): Verification {
  const failures = texts.map((message) => ({ address: `HTTPSEdge/${message}`, message }));
  const left = texts.map((text) =>
    change({ address: `HTTPSEdge/${text}`, action: 'update', fields: [field(text, 'a', 'b')] }),
  );
  return { converges: false, requests: 3, failures, remaining: left, assumptions: texts };
}

describe('whatever manifests and answers hold', () => {
  test('a comment has no element, link, mention or image but those of its template', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...platforms),
        (texts, platform) => {
          const markdown = comment(planOfTexts(texts), {
            platform,
            repository: { url: site, revision: texts[0] ?? '', folder: texts.at(-1) ?? '' },
            verified: proofOf(texts),
          });
          expectHarmlessMarkdown(markdown);
          expect(markdown).not.toMatch(/hunter2|correct horse/);
        },
      ),
      { numRuns: runs },
    );
  });

  test('text has no control byte, and JSON is what its schema says, without a secret', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 40 }), (texts) => {
        const plan = planOfTexts(texts);
        const text = planText(plan, { kinds, palette: plain, requests: true });
        expectHarmlessText(text);
        expectNothingActs(planText(plan, { kinds, palette: plain, requests: true, width: 80 }));
        const json = jsonText(planJson(plan, { kinds }));
        expect(planJsonSchema.safeParse(JSON.parse(json)).error).toBeUndefined();
        expect(text + json).not.toMatch(/hunter2|correct horse/);
      }),
      { numRuns: runs },
    );
  });
});

test.each(["a'deadbeefcafe", 'well-deadbeef', 'deadbeef-well', "(deadbeef's)"])(
  'a word with a part that may be the name of a commit links to none: %s',
  (word) => {
    const plan = planOf([change({ address: 'HTTPSEdge/shop', action: 'delete' })], {
      hazards: [{ code: 'OPENS_ACCESS', address: 'HTTPSEdge/shop', message: `it opens ${word} here` }],
    });
    for (const platform of platforms) expectHarmlessMarkdown(comment(plan, { platform }));
  },
);

test('lines that stay between lines that change end no fence and no fold', () => {
  const around = ['```', '````', '~~~', '</details>', '| a |', '# a'].join('\n');
  const fields = [field('description', `old\n${around}\nold`, `new\n${around}\nnew`)];
  const plan = planOf([change({ address: 'HTTPSEdge/shop', action: 'update', fields })]);
  for (const platform of platforms) expectHarmlessMarkdown(comment(plan, { platform }));
});

describe('a byte budget', () => {
  test('is kept from 2 KB up, and nothing in it is cut', async () => {
    const plans = await Promise.all(goldenAccounts.map(goldenPlan));
    const whole: Plan = planOf(
      plans.flatMap(({ changes }, index) =>
        changes.map((one) => ({ ...one, address: `${one.address}-${String(index)}` })),
      ),
      {
        hazards: plans.flatMap(({ hazards }) => hazards),
      },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 2048, max: 40_000 }),
        fc.constantFrom(...platforms),
        fc.array(hostile, { minLength: 1, maxLength: 5 }),
        (maxBytes, platform, texts) => {
          for (const plan of [whole, planOfTexts(texts)]) {
            const markdown = comment(plan, { platform, maxBytes, verified: proofOf(texts) });
            expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxBytes);
            expect(markdown.match(/^`{3,}/gm)?.length ?? 0).toSatisfy((fences: number) => fences % 2 === 0);
            expectHarmlessMarkdown(markdown);
          }
        },
      ),
      { numRuns: Math.ceil(runs / 4) },
    );
  });

  test('omits the details of the least dangerous first, and reports that', () => {
    const long = Array.from({ length: 30 }, (_, index) => `host-${String(index)}.example.com:443`);
    const edges = ['a', 'b', 'c', 'd'].map((name) =>
      change({ address: `HTTPSEdge/${name}`, action: 'create', desired: { description: name, hostports: long } }),
    );
    const plan = planOf(edges, { hazards: [{ code: 'OPENS_ACCESS', address: 'HTTPSEdge/c', message: 'it opens' }] });
    const markdown = comment(plan, { maxBytes: 3000 });
    expect(markdown).toContain('<summary><code>+</code> create <code>HTTPSEdge/c</code></summary>');
    expect(markdown).not.toContain('<summary><code>+</code> create <code>HTTPSEdge/d</code></summary>');
    expect(markdown).toMatch(
      /The details of \d changes, the least dangerous first, are omitted \(size limit: 3000 bytes\)/,
    );
    expect(comment(plan)).not.toContain('left out');
  });

  test('changes that read the same are one piece, which names a few of them and counts the others', () => {
    const alike = Array.from({ length: 2000 }, (_, index) =>
      change({
        address: `HTTPSEdge/edge-${String(index)}`,
        action: 'update',
        fields: [field('description', 'Old', 'New')],
      }),
    );
    const opens = change({ address: 'HTTPSEdge/x', action: 'update', fields: [field('description', 'Old', 'New')] });
    const plan = planOf([...alike, opens], {
      hazards: [{ code: 'OPENS_ACCESS', address: 'HTTPSEdge/x', message: 'it opens' }],
    });
    const markdown = comment(plan, { maxBytes: 6000 });
    expect(markdown).toContain('`HTTPSEdge/edge-4` and 1995 more resources |');
    expect(markdown).toContain('<summary><code>~</code> update 2000 <code>HTTPSEdge</code></summary>');
    expect(markdown).toContain('  and 1950 more resources\n');
    // What a reviewer must look at stays alone.
    expect(markdown).toContain('<summary><code>~</code> update <code>HTTPSEdge/x</code></summary>');
    expect(comment(plan, { maxBytes: 2048 })).toContain('The details of 2000 changes, the least dangerous first');
  });

  test('counts what is beyond the size limit', () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      change({
        address: `HTTPSEdge/edge-${String(index)}`,
        action: 'create',
        desired: { description: `Edge ${String(index)}` },
      }),
    );
    expect(comment(planOf(many), { maxBytes: 2048 })).toMatch(
      /_\d+ changes omitted \(size limit\); total: 200 to create\._/,
    );
  });
});

test('a source is linked to its line as the platform has it', () => {
  const plan = planOf([
    change({
      address: 'HTTPSEdge/a',
      action: 'create',
      desired: {},
      place: { file: '../shared/a b.yaml', line: 7, col: 1 },
    }),
  ]);
  const links = platforms.map((platform) => /\]\((\S+)\)/.exec(comment(plan, { platform }))?.[1]?.replace(site, ''));
  expect(links).toEqual([
    'blob/4f2d1c/stacks/shared/a%20b.yaml#L7',
    '-/blob/4f2d1c/stacks/shared/a%20b.yaml#L7',
    'src/commit/4f2d1c/stacks/shared/a%20b.yaml#L7',
    'src/4f2d1c/stacks/shared/a%20b.yaml#lines-7',
  ]);
  expect(comment(plan, { repository: { url: 'javascript:alert(1)', revision: 'x', folder: '' } })).not.toContain('](');
});
