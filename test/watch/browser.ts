import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Starts a headless Chromium: the one that SLUICE_CHROMIUM names, else the first on the PATH. There must be one. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env['SLUICE_CHROMIUM'] ?? chromiumOnPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  // A machine under load is slow, not wrong.
  return browser.on('context', (context) => context.setDefaultTimeout(120_000));
}

/** Whether there is a browser to drive. `.ci/run` installs one; on a machine without, these tests say that they are skipped. */
export function hasBrowser(): boolean {
  return process.env['SLUICE_CHROMIUM'] !== undefined || findChromium() !== undefined;
}

function chromiumOnPath(): string {
  const found = findChromium();
  if (found === undefined)
    throw new Error('these tests need Chromium: apt-get install chromium, or name one in SLUICE_CHROMIUM');
  return found;
}

function findChromium(): string | undefined {
  const places = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
