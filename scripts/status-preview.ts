// Serves the status page with made-up statuses, to look at: node scripts/run.mjs scripts/status-preview.ts [PORT]
// With --screenshots DIR it takes pictures of them instead, in Chromium, and ends.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fleetPage } from '../src/render/status/fleet/fleet-page.ts';
import { byPath, serveReplies } from '../src/watch/status/http-replies.ts';
import { pageReply } from '../src/watch/status/shared-replies.ts';
import { serveStatus } from '../src/watch/status/status-server.ts';
import { openBrowser } from '../test/watch/browser.ts';
import { manyStacks } from '../test/watch/fleet/many-stacks.ts';
import { statuses } from '../test/watch/statuses.ts';
import type { WatchStatus } from '../src/model/status/watch-status.ts';

const views = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;

const [first, second, wanted] = process.argv.slice(2).filter((one) => one !== '--whole');
/** The pages by name: those of one stack, and that of a fleet. */
const pages: Readonly<Record<string, (port: number) => ReturnType<typeof serveStatus>>> = {
  ...Object.fromEntries(
    Object.entries(statuses).map(([name, status]) => [name, (port: number) => serve(status, port)]),
  ),
  fleet: (port) =>
    serveReplies({
      port,
      onError: console.error,
      find: byPath({ '/': (search) => pageReply(fleetPage(manyStacks(500), search)) }),
    }),
};

async function show(port: number): Promise<void> {
  for (const [index, [name, start]] of Object.entries(pages).entries()) {
    const server = await start(port + index);
    console.log(`${server.url}/ ${name}`);
  }
}

async function photograph(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await openBrowser();
  for (const [name, start] of Object.entries(pages).filter(([name]) => wanted === undefined || name === wanted)) {
    const server = await start(0);
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
    metrics: () => '',
    now: () => status.now,
    onError: console.error,
  });
}

if (first === '--screenshots') await photograph(second ?? 'screenshots');
else await show(Number(first ?? 8642));
