import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import axe from 'axe-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WatchStatus } from '../../../../src/model/status/watch-status.ts';
import { fleetJson } from '../../../../src/render/status/fleet/fleet-json.ts';
import { fleetJsonSchema } from '../../../../src/render/status/fleet/fleet-json-schema.ts';
import { fleetPage } from '../../../../src/render/status/fleet/fleet-page.ts';
import { fleetConditions } from '../../../../src/render/status/fleet/fleet-row.ts';
import { fleetGroups, fleetHeadline, fleetRows, groupText } from '../../../../src/render/status/fleet/fleet-rows.ts';
import { jsonText } from '../../../../src/render/text/json-text.ts';
import { byPath, serveReplies } from '../../../../src/watch/status/http-replies.ts';
import { pageReply } from '../../../../src/watch/status/shared-replies.ts';
import { skippedWithout } from '../../../support/skipped-without.ts';
import { hasBrowser, openBrowser } from '../../../watch/browser.ts';
import { questionsOf } from '../../../../src/render/status/status-questions.ts';
import { drifted } from '../../../watch/asking-statuses.ts';
import { allWell, awaiting, statuses } from '../../../watch/statuses.ts';
import { manyStacks } from '../../../watch/fleet/many-stacks.ts';

const fleet = manyStacks(500);

/** The rows of a page, each as its path. */
const pathsOn = (page: string): string[] =>
  [...page.matchAll(/<li id="stack-([^"]*)"/g)].map(([, path = '']) => decodeURIComponent(path));

test('a page of 500 stacks takes less than 200 KB and 2,000 elements', () => {
  const { html } = fleetPage(fleet);
  expect(Buffer.byteLength(html)).toBeLessThan(200_000);
  expect(html.match(/<[a-z]/g)?.length).toBeLessThan(2_000);
});

test('a page with every cause, each of many stacks, is as small', () => {
  const [some] = fleet.stacks.filter(({ status }) => status !== undefined);
  const facts = Object.values(statuses).flatMap((status) => Array.from({ length: 30 }, () => status));
  const stacks = facts.map((status, n) => ({ ...some!, path: `stack-${String(n)}`, status }));
  const { html } = fleetPage({ ...fleet, stacks: [...fleet.stacks, ...stacks] });
  expect(Buffer.byteLength(html)).toBeLessThan(200_000);
  expect(html.match(/<[a-z]/g)?.length).toBeLessThan(2_000);
});

test('the stacks are grouped by cause with their number, the worst first, and each leads to all of its stacks', () => {
  const rows = fleetRows(fleet);
  const ranks = rows.map(({ condition }) => fleetConditions.indexOf(condition));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  const { html } = fleetPage(fleet);
  const groups = fleetGroups(rows);
  const headings = [...html.matchAll(/<\/svg> (\d+ stacks?: [^<]*)<\/h3>/g)].map(([, heading]) => heading);
  expect(headings).toEqual(groups.map(({ cause, rows: own }) => groupText(own.length, cause)));
  expect(headings).toContain('10 stacks: stack cannot be watched');
  for (const { cause, rows: own } of groups) {
    const pages = Array.from(
      { length: Math.ceil(own.length / 100) },
      (_, n) => `?cause=${cause}&page=${String(n + 1)}`,
    );
    expect(pages.flatMap((search) => pathsOn(fleetPage(fleet, search).html))).toEqual(own.map(({ path }) => path));
    if (own.length > 3) expect(html).toContain(`href="./?cause=${cause}#stacks"`);
  }
  expect(groups.reduce((sum, group) => sum + group.rows.length, 0)).toBe(500);
});

test.each([
  ['?q=stack-42', (path: string) => path.includes('stack-42')],
  ['?condition=action-required&q=TEAM-7/', (path: string) => path.includes('team-7/')],
  ['?cause=not-watched&q=stack-1', (path: string) => path.includes('stack-1')],
])('the query %s selects stacks, on the page and in the JSON', (search, isMeant) => {
  const paths = pathsOn(fleetPage(fleet, search).html);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !isMeant(path))).toEqual([]);
  expect(fleetJson(fleet, search).stacks.map(({ path }) => path)).toEqual(paths);
});

test('the headline counts once who needs a person, and the causes add up to it', () => {
  for (const count of [500, 40, 3]) {
    const stacks = manyStacks(count);
    const rows = fleetRows(stacks);
    const asking = rows.filter(({ condition }) => condition === 'action-required');
    const { headline, detail = '' } = fleetHeadline(rows);
    if (asking.length === 0) continue;
    expect(headline).toMatch(new RegExp(`^${String(asking.length)} of ${String(count)} stacks requires? action$`));
    const parts = [...detail.matchAll(/(?:^|; )(\d+) /g)].map(([, number]) => Number(number));
    expect(parts.reduce((sum, one) => sum + one, 0)).toBe(asking.length);
    expect(fleetPage(stacks).html).toContain(`<span>${headline}</span>`);
    expect(fleetJson(stacks).headline).toBe(`${headline}: ${detail}`);
  }
});

test.each(Object.entries(statuses))(
  'the row of %s needs a person if and only if its page asks for one',
  (_, status) => {
    const [row] = fleetRows({ stacks: [{ path: 'a', status }] });
    expect(row?.condition === 'action-required').toBe(questionsOf(status).length > 0);
  },
);

test('a row names the resources that its cause is about, since when, and when an approval takes effect', () => {
  const [row] = fleetJson({ ...fleet, stacks: [{ path: 'a', status: awaiting }] }).stacks;
  expect(row).toMatchObject({
    resources: ['HTTPSEdge/api', 'ReservedAddr/mqtt-us'],
    resources_total: 2,
    since: new Date(awaiting.now - 26 * 60_000).toISOString(),
    action_required: [{ count: 1, summary: '2 changes require approval' }, {}],
  });
  const { html } = fleetPage({ ...fleet, stacks: [{ path: 'a', status: awaiting }] });
  expect(html).toContain('<code>HTTPSEdge/api</code>, <code>ReservedAddr/mqtt-us</code>, for ');
  expect(html).toContain('Approved changes are applied immediately');
});

/** The text of a page of one stack. */
const textOf = (status: WatchStatus): string =>
  fleetPage({ ...fleet, stacks: [{ path: 'a', status }] })
    .html.replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test('a row labels both revisions, and counts what is not applied by its reason', () => {
  const [observed, applied] = [{ content: 'bbbbbbbbbbbb' }, { content: 'cccccccccccc' }];
  expect(textOf({ ...awaiting, observed, applied })).toContain('observed bbbbbbb · applied ccccccc');
  expect(textOf({ ...awaiting, observed, applied: observed })).toContain('observed and applied bbbbbbb');
  expect(textOf(awaiting)).toContain(
    '2 require approval · 1 blocked by deletion protection · 1 waits for another change',
  );
  expect(textOf(drifted)).toContain(` · ${String(drifted.pending.length)} drifted`);
  expect(textOf(drifted)).not.toMatch(/· \d+ (pending|requires)/);
});

test.each(Object.entries(statuses))(
  'a row reports what to do, with a link, if and only if a person has to: %s',
  (_, status) => {
    const [asked] = questionsOf(status);
    const { html } = fleetPage({ ...fleet, stacks: [{ path: 'a', status }] });
    expect(/To do: <a href="stacks\/a\/#(rules|exposed|action|failures)">[a-z]/i.test(html)).toBe(asked !== undefined);
  },
);

test('a row that waits for an approval leads to the review, and one with invalid manifests says to correct them', () => {
  const shown = fleetPage({ ...fleet, stacks: [{ path: 'a', status: awaiting }] }).html;
  expect(shown).toContain('To do: <a href="stacks/a/#action">review the changes and approve them</a>');
  expect(
    textOf({ ...allWell, diagnostics: [{ code: 'UNKNOWN_FIELD', severity: 'error', message: 'unknown field' }] }),
  ).toContain('To do: correct the manifests');
});

test('the JSON is what its schema says', () => {
  const text = jsonText(fleetJson(fleet));
  expect(fleetJsonSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
  const schema = JSON.parse(readFileSync('schemas/fleet.schema.json', 'utf8')) as object;
  const validate = new Ajv2020({ strict: false }).compile(schema);
  validate(JSON.parse(text));
  expect(validate.errors).toBeNull();
});

test('the ETag stays the same while only ages change', () => {
  const later = { ...fleet, now: fleet.now + 10_000 };
  expect(fleetPage(later).etag).toBe(fleetPage(fleet).etag);
  expect(fleetPage(manyStacks(499)).etag).not.toBe(fleetPage(fleet).etag);
});

const skipped = skippedWithout('chromium', hasBrowser());

describe.skipIf(skipped !== '')(`the page in a browser${skipped}`, () => {
  test('filters as one types, in light and dark and on a phone, without anything inaccessible', async () => {
    const browser = await openBrowser();
    const server = await serveReplies({
      port: 0,
      find: byPath({ '/': (search) => pageReply(fleetPage(fleet, search)) }),
      onError: (error) => {
        throw error;
      },
    });
    onTestFinished(async () => {
      await browser.close();
      await server.close();
    });
    const shots = process.env['SLUICE_SHOTS'];
    for (const [name, options] of [
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
    ] as const) {
      const page = await browser.newPage({ reducedMotion: 'reduce', bypassCSP: true, ...options });
      await page.goto(server.url);
      if (shots !== undefined) await page.screenshot({ path: `${shots}/fleet-${name}.png` });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.getByLabel('Search').fill('stack-49');
      await page.getByText('Showing 1 to 11 of 11').waitFor();
      expect(page.url()).toContain('q=stack-49');
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
      expect(violations.map(({ id }) => id)).toEqual([]);
      await page.close();
    }
  });
});
