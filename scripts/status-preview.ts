// Serves the status page with made-up statuses, to look at: node scripts/run.mjs scripts/status-preview.ts [PORT]
// With --screenshots DIR it takes pictures of them instead, in Chromium, and ends.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statusDetails } from '../src/render/status/status-details.ts';
import { statusPage } from '../src/render/status/status-page.ts';
import { serveStatus } from '../src/watch/status/status-server.ts';
import { openBrowser } from '../test/watch/browser.ts';
import { statuses } from '../test/watch/statuses.ts';
import type { WatchStatus } from '../src/model/watch-status.ts';

const views = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

const [first, second, wanted] = process.argv.slice(2).filter((one) => one !== '--whole');
if (first === '--screenshots') await photograph(second ?? 'screenshots');
else await show(Number(first ?? 8642));

async function show(port: number): Promise<void> {
  for (const [index, [name, status]] of Object.entries(statuses).entries()) {
    const server = await serve(status, port + index);
    console.log(`${server.url}/ ${name}`);
  }
}

async function photograph(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await openBrowser();
  for (const [name, status] of Object.entries(statuses).filter(([name]) => wanted === undefined || name === wanted)) {
    const server = await serve(status, 0);
    for (const [view, options] of Object.entries(views)) {
      const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
      await page.goto(server.url);
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: process.argv.includes('--whole') });
      await page.close();
    }
    await server.close();
  }
  await browser.close();
}

function serve(status: WatchStatus, port: number): ReturnType<typeof serveStatus> {
  return serveStatus({
    port,
    status: () => status,
    page: statusPage,
    details: statusDetails,
    json: () => '{}\n',
    metrics: () => '',
    now: () => status.now,
    onError: console.error,
  });
}
