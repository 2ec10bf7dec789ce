import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { diagnosticsText } from '../../src/render/diagnostics/diagnostics-text.ts';
import { jsonText } from '../../src/render/text/json-text.ts';
import { plain } from '../../src/render/text/palette.ts';
import { planJson } from '../../src/render/plan/plan-json.ts';
import { planMarkdown } from '../../src/render/plan/plan-markdown.ts';
import { planText } from '../../src/render/plan/plan-text.ts';
import { goldenAccounts } from './golden-accounts.ts';
import { goldenPlan } from './golden-plan.ts';

const update = process.env['UPDATE'] === '1';
const folder = new URL('golden/', import.meta.url);
const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(new URL('../../schemas/plan.schema.json', import.meta.url), 'utf8')) as object,
);

// The accounts that are kept as JSON as well: each kind of change once. All others are checked against the schema.
const inJson = new Set([
  'an-edge-is-created',
  'changed-and-drifted',
  'a-guard-is-removed',
  'a-secret-changes',
  'a-region-cannot-change-in-place',
  'a-protected-address-goes',
  'retained-is-forgotten',
  'an-edge-goes-with-its-routes',
  'something-live-is-adopted',
  'hostile-text',
]);

describe('a plan in every format: reviewed by eye, kept in golden/, rewritten by `npm run regenerate`', () => {
  test.each(goldenAccounts)('$shows', async (account) => {
    const plan = await goldenPlan(account);
    expectGolden(`${account.shows}.txt`, terminal(plan));
    expect(hasErrors(plan.diagnostics)).toBe(account.isInTheWay === true);
    if (account.isInTheWay === true) return;
    expectGolden(`${account.shows}.md`, comment(plan));
    if (inJson.has(account.shows))
      expectGolden(`${account.shows}.json`, jsonText(planJson(plan, { kinds, digest: 'sha256:5c1e7a90' })));
  });

  test('there is no file of an account that is gone', () => {
    const names = goldenAccounts.flatMap(({ shows, isInTheWay }) =>
      ['txt', ...(isInTheWay === true ? [] : ['md']), ...(inJson.has(shows) ? ['json'] : [])].map(
        (format) => `${shows}.${format}`,
      ),
    );
    if (update) for (const file of readdirSync(folder)) if (!names.includes(file)) rmSync(new URL(file, folder));
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });
});

describe('a plan as JSON', () => {
  test.each(goldenAccounts)(
    'is what its schema says, and its patches lead from before to after: $shows',
    async (account) => {
      const document = JSON.parse(jsonText(planJson(await goldenPlan(account), { kinds }))) as ReturnType<
        typeof planJson
      >;
      expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
      expect(JSON.stringify(document)).not.toMatch(/hunter2|correct horse/);
      for (const { change } of [...document.resource_changes, ...document.resource_drift]) {
        if (change.patch === undefined) continue;
        const before = structuredClone(change.before);
        expect(fastJsonPatch.applyPatch(before, change.patch as Operation[]).newDocument).toEqual(change.after);
      }
    },
  );
});

/** What a person sees: warnings and notes, then the plan; where something is in its way, that alone. */
function terminal(plan: Plan): string {
  const reported = diagnosticsText(plan.diagnostics);
  if (hasErrors(plan.diagnostics)) return reported;
  return `${reported}${reported === '' ? '' : '\n'}${planText(plan, { kinds, palette: plain, width: 100, requests: true })}`;
}

function comment(plan: Plan): string {
  return planMarkdown(plan, {
    kinds,
    platform: 'github',
    digest: 'sha256:5c1e7a90',
    time: '2026-03-01T09:00:00.000Z',
    repository: { url: 'https://git.example.com/company/edges', revision: '4f2d1c', folder: 'stacks/prod' },
  });
}

function expectGolden(name: string, text: string): void {
  const path = new URL(name, folder);
  const stable = text.replace(/\b([a-z]+)_[0-9A-Za-z]{27}\b/g, '$1_…').replace(/(n\\*":\\*")[0-9a-f]{12}/g, '$1drawn');
  if (update) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, stable);
  }
  expect(stable).toBe(readFileSync(path, 'utf8'));
}
