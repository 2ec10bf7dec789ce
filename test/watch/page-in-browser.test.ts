import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { serveStatus } from '../../src/watch/status/status-server.ts';
import { skippedWithout } from '../support/skipped-without.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { resource } from './company.ts';
import { allWell, applying, awaitedDigest, awaiting, huge, statuses } from './statuses.ts';

let browser: Browser;

beforeAll(async () => {
  if (hasBrowser()) browser = await openBrowser();
});
afterAll(async () => {
  if (hasBrowser()) await browser.close();
});

interface Opened {
  readonly page: Page;
  /** What the browser complained of. */
  readonly complaints: string[];
  readonly become: (status: WatchStatus) => void;
}

async function open(first: WatchStatus, options: Parameters<Browser['newPage']>[0] = {}): Promise<Opened> {
  let status = first;
  const server = await serveStatus({
    port: 0,
    status: () => status,
    metrics: () => '',
    now: () => status.now,
    onError: (error) => complaints.push(String(error)),
  });
  const complaints: string[] = [];
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await page.close();
    await server.close();
  });
  await page.goto(server.url);
  return { page, complaints, become: (next) => (status = next) };
}

const skipped = skippedWithout('chromium', hasBrowser());

describe.skipIf(skipped !== '')(`the page in a browser${skipped}`, () => {
  test('follows an apply live, and keeps opened details, the scroll position and the focus', async () => {
    const { page, complaints, become } = await open(applying(1));
    await page.locator('#history summary').first().click();
    await page.evaluate('scrollTo(0, 400)');
    expect(await page.locator('#activity').innerText()).toContain('1 of 5 done');
    become(applying(3));
    await page.getByText('3 of 5').first().waitFor();
    become(allWell);
    await page.getByRole('heading', { name: 'All 14 resources in sync' }).waitFor();
    expect(await page.locator('#applying').count()).toBe(0);
    // The apply that was followed stands before it now.
    expect(await page.locator('#history details').first().getAttribute('open')).toBeNull();
    expect(await page.locator('#history details').nth(1).getAttribute('open')).not.toBeNull();
    expect(await page.evaluate('document.activeElement.nodeName')).toBe('SUMMARY');
    expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
    expect(await page.title()).toContain('All 14 resources in sync');
    expect(complaints).toEqual([]);
  });

  test('shows an approval as soon as it is waited for, with its command', async () => {
    const { page, become } = await open(allWell);
    become(awaiting);
    await page.locator('#action').waitFor();
    expect(await page.locator('#action').innerText()).toContain(`sluice approve ${awaitedDigest}`);
    expect(await page.getByRole('status').first().innerText()).toContain(
      '2 changes require approval, 1 change blocked by deletion protection',
    );
  });

  test('has fields for an approval where the watch takes it, empty for other changes, and none without scripts', async () => {
    const { page, become, complaints } = await open(awaiting);
    const reason = page.getByLabel('Reason');
    await reason.fill('CHG-1042');
    become({ ...awaiting, version: '2' });
    await page.getByText('sluice 2,').waitFor();
    expect(await reason.inputValue()).toBe('CHG-1042');
    become({ ...awaiting, awaited: { ...awaiting.awaited!, digest: 'sha256:77ab01e2' } });
    await page.locator('#action code', { hasText: 'sluice approve sha256:77ab01e2' }).waitFor();
    expect(await reason.inputValue()).toBe('');
    become({ ...awaiting, approvalWays: [] });
    await reason.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);

    const plain = await open(awaiting, { javaScriptEnabled: false });
    expect(await plain.page.locator('#action').innerText()).toContain(`sluice approve ${awaitedDigest}`);
    expect(await plain.page.getByLabel('Token').isVisible()).toBe(false);
  });

  test('runs nothing that a name says', async () => {
    const name = '<img src=x onerror="document.title=`mine`"><script>document.title="mine"</script>';
    const hostile = {
      ...allWell,
      resources: [resource(`HTTPSEdge/${name}`, [], { syncStatus: 'drifted', note: name })],
    };
    const { page, complaints, become } = await open(hostile);
    become({ ...hostile, stack: { name, id: name }, version: name });
    await page.locator('.brand strong', { hasText: 'onerror' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('mine');
    expect(complaints).toEqual([]);
  });

  test('is found accessible, in light and in dark, whatever it shows', async () => {
    // One page for all: to open another one costs more than to look at it.
    const { page, become } = await open(allWell);
    const found: string[] = [];
    for (const [name, status] of Object.entries(statuses)) {
      become(status);
      await page.reload();
      await page.evaluate(axe.source);
      // Only colors differ in the dark.
      for (const [colorScheme, rules] of [
        ['light', {}],
        ['dark', { runOnly: ['color-contrast'] }],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await page.evaluate<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>(`axe.run(${JSON.stringify({ ...rules, resultTypes: ['violations'] })})`);
        for (const { id, nodes } of violations)
          found.push(`${name}, ${colorScheme}: ${id}: ${nodes[0]?.failureSummary ?? ''} ${nodes[0]?.html ?? ''}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('filters as one types, keeps the filter while it updates, and announces how many match', async () => {
    const { page, complaints, become } = await open(huge);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000);
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('team-1999:');
    const reported = page.locator('#resources').getByRole('status');
    await reported.getByText('Showing all 3').waitFor();
    expect(new URL(page.url()).search).toBe('?q=team-1999%3A');
    become({ ...huge, stack: { name: 'renamed', id: '1' } });
    await page.locator('.brand strong', { hasText: 'renamed' }).waitFor();
    expect(await reported.innerText()).toBe('Showing all 3');
    expect(await page.evaluate('document.activeElement.name')).toBe('q');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('HTTPSEdge');
    await reported.getByText('No resources match').waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.getByText('in sync not listed').waitFor();
    expect(complaints).toEqual([]);
  });

  test('loads a long difference when it is unfolded with the keyboard, and keeps it while it updates', async () => {
    const { page, complaints, become } = await open(huge);
    await page.locator('#action summary').first().press('Enter');
    const difference = page.locator('#action details[open] pre').first();
    await difference.waitFor();
    expect(await difference.innerText()).toContain('rule 119');
    become({ ...huge, stack: { name: 'renamed', id: '1' } });
    await page.locator('.brand strong', { hasText: 'renamed' }).waitFor();
    expect(await difference.innerText()).toContain('rule 119');
    expect(complaints).toEqual([]);
  });

  test('filters, turns pages and shows differences without scripts', async () => {
    const { page, complaints } = await open(huge, { javaScriptEnabled: false });
    await page.getByRole('searchbox', { name: 'Search' }).fill('HTTPSEdgeRoute/team-');
    await page.getByRole('button', { name: 'Filter' }).press('Enter');
    await page.getByText('Showing 1 to 30 of 6000').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Showing 31 to 60 of 6000').waitFor();
    await page.locator('#action summary').first().click();
    await page.locator('#action details[open] a').first().click();
    await page.getByText('rule 119').waitFor();
    await page.getByRole('link', { name: 'Status of company' }).click();
    expect(await page.locator('footer noscript').innerText()).toContain('Without JavaScript this page is reloaded');
    expect(complaints).toEqual([]);
  });

  test('fits a phone without scrolling sideways', async () => {
    for (const name of ['trouble', 'huge']) {
      const { page } = await open(statuses[name]!, { viewport: { width: 360, height: 740 } });
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(360);
    }
  });
});
