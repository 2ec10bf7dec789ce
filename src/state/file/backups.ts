import { link, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { keptFileBytes, readSafely } from '../../files/safe-file.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { readDocument } from '../document.ts';
import { timeInName } from '../time-in-name.ts';

const kept = 10;

/** Keeps what a state file holds now, before a run replaces it, and lets go of the oldest beyond ten. */
export async function keepBackup(path: string, serial: number, now: Date): Promise<void> {
  const folder = folderOf(path);
  await makeKeptDirectory(folder);
  await removeLeftovers(folder);
  const backup = join(folder, `${prefixOf(path)}${timeInName(now)}.${serial}`);
  // State files are replaced, never written into, so a second name for this one stays as it is.
  await link(path, backup).catch(() => replaceFile(backup, textOf(path), { isKept: true }));
  const old = (await backupsOf(path)).slice(kept);
  await Promise.all(old.map((name) => rm(name, { force: true })));
}

/** The newest backup that can be read whole, of this stack. */
export async function newestIntactBackup(path: string, lineage: string): Promise<string | undefined> {
  for (const backup of await backupsOf(path)) {
    try {
      if (readDocument(textOf(backup)).lineage === lineage) return backup;
    } catch {
      // Damaged as well: an older one may not be.
    }
  }
  return undefined;
}

function textOf(path: string): string {
  const read = readSafely(path, keptFileBytes);
  if ('text' in read) return read.text;
  throw new Error(`${path} ${read.message}`);
}

/** The backups of a state file, newest first. */
export async function backupsOf(path: string): Promise<string[]> {
  const folder = folderOf(path);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefixOf(path)) && afterPrefix.test(name.slice(prefixOf(path).length)))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

function folderOf(path: string): string {
  return join(dirname(path), 'backups');
}

// Time and serial: the name of another state file may begin as the prefix does.
const afterPrefix = /^\d{8}T\d{9}Z\.\d+$/;

function prefixOf(path: string): string {
  return `${basename(path)}.`;
}
