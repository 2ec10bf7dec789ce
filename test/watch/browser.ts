import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Starts a headless Chromium: the one that SLUICE_CHROMIUM names, else the first on the PATH. There must be one. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
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
}

function chromiumOnPath(): string {
  const places = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const found = places.find(isProgram);
  if (found === undefined)
    throw new Error('these tests need Chromium: apt-get install chromium, or name one in SLUICE_CHROMIUM');
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
