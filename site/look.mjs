// Opens pages of the built site in Chromium, and checks what a reader sees: npm ci && npm run build && npm run look [DIRECTORY]
// Pictures are stored in the directory. Uses the browser and playwright-core of the main package.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serve } from 'vitepress';

const { chromium } = createRequire(new URL('../package.json', import.meta.url))('playwright-core');
const folder = process.argv[2];
const pages = {
  home: '/',
  tutorial: '/docs/tutorial.html',
  edge: '/docs/reference/https-edge-route.html',
  codes: '/docs/reference/codes.html',
  rotate: '/docs/how-to/rotate-a-ca.html',
};
const views = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};

const port = 4173;
const origin = `http://localhost:${String(port)}`;
await serve({ root: import.meta.dirname, port });
const browser = await chromium.launch({
  executablePath: process.env.SLUICE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
if (folder !== undefined) await mkdir(folder, { recursive: true });
for (const [view, options] of Object.entries(views)) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => request.url().startsWith(origin) || problems.push(`loads ${request.url()}`));
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(origin + path, { waitUntil: 'networkidle' });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= options.viewport.width, `${name} is wider than the ${view} view: ${String(width)}`);
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${view}.png`) });
  }
  const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
  assert.equal(isDark, view === 'dark');
  await page.locator('#local-search button').first().click();
  await page.locator('#localsearch-input').fill('hostports');
  await page.locator('.results .result').first().waitFor();
  if (folder !== undefined) await page.screenshot({ path: join(folder, `search-${view}.png`) });
  assert.deepEqual(problems, []);
  console.log(`ok      ${view}: ${String(Object.keys(pages).length)} pages, search`);
  await context.close();
}
await browser.close();
process.exit(0);
