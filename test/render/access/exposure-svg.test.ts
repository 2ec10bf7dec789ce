import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { exposureSvg } from '../../../src/render/access/exposure-svg.ts';
import { skippedWithout } from '../../support/skipped-without.ts';
import { hasBrowser, openBrowser } from '../../watch/browser.ts';
import { hostile } from '../hostile-text.ts';
import { exposureOf } from './exposures.ts';

let browser: Browser;

beforeAll(async () => {
  if (hasBrowser()) browser = await openBrowser();
});
afterAll(async () => {
  if (hasBrowser()) await browser.close();
});

test.each([0, 4, 60])('a picture of %d routes is well-formed, with nothing that runs or loads', (routes) => {
  const svg = exposureSvg(exposureOf(routes));
  const complaints: unknown[] = [];
  new DOMParser({ onError: (_, message) => complaints.push(message) }).parseFromString(svg, 'image/svg+xml');
  expect(complaints).toEqual([]);
  expect(svg).not.toMatch(/<script|href|url\(|@import/);
});

test('a hostile text stays text', () => {
  const { rows } = exposureOf(2);
  fc.assert(
    fc.property(hostile, (text) => {
      const svg = exposureSvg({
        rows: rows.map((row) => ({ ...row, who: text, urls: [text], route: text })),
        variants: [],
      });
      const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      const names = [...(root?.getElementsByTagName('*') ?? [])].map(({ tagName }) => tagName);
      expect([...new Set(names)].sort()).toEqual(['g', 'path', 'rect', 'style', 'text', 'title']);
    }),
    { numRuns: 100 },
  );
});

test('colour is never the only sign: each audience has a shape and a word, and what changed has a word', () => {
  const svg = exposureSvg(exposureOf(20));
  for (const word of ['anyone', 'authentication', 'nobody', 'before: ']) expect(svg).toContain(word);
  expect(
    new Set(svg.match(/<g\s+class="icon".*?<path d="[^"]+"/gs)?.map((icon) => icon.slice(icon.indexOf(' d=')))).size,
  ).toBe(3);
});

const skipped = skippedWithout('chromium', hasBrowser());

describe.skipIf(skipped !== '')(`a picture in a browser${skipped}`, () => {
  test.each([4, 20, 60])('of %d routes has no text that overlaps or leaves the picture', async (routes) => {
    const page = await browser.newPage();
    await page.setContent(exposureSvg(exposureOf(routes)));
    const boxes = await page.evaluate<{ x: number; y: number; right: number; bottom: number }[]>(
      '[...document.querySelectorAll("text")].map((one) => one.getBBox()).map(({ x, y, width, height }) => ({ x, y, right: x + width, bottom: y + height }))',
    );
    const [width, height] = await page.evaluate<[number, number]>(
      '(({ width, height }) => [width, height])(document.querySelector("svg").viewBox.baseVal)',
    );
    await page.close();
    expect(boxes.length).toBeGreaterThan(routes);
    expect(boxes.filter(({ x, y, right, bottom }) => x < 0 || y < 0 || right > width || bottom > height)).toEqual([]);
    const overlapping = boxes.filter((a, at) =>
      boxes.slice(at + 1).some((b) => a.x < b.right && b.x < a.right && a.y < b.bottom - 1 && b.y < a.bottom - 1),
    );
    expect(overlapping).toEqual([]);
  });
});
