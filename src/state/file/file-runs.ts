import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { systemReason } from '../../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../../files/make-kept-directory.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { fileBytes, readBytes } from '../../files/safe-file.ts';
import type { RunRecord } from '../run-record.ts';
import { beginRun, readRuns, type BegunRun, type EndRun, type RunStore } from '../run-records.ts';
import { userName } from '../lease/lease.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { unreadableFile } from './unreadable-file.ts';

/** The records of runs as files of a directory, where the state is a file. */
export interface FileRuns {
  readonly begin: (begun: BegunRun, command: string) => Promise<EndRun>;
  readonly latest: (count: number) => Promise<readonly RunRecord[]>;
}

/** Opens the records of a directory, which need not exist. */
export function fileRuns(dir: string): FileRuns {
  const pathOf = (name: string): string => join(dir, basename(name));
  const store: RunStore = {
    read: (name) => {
      const read = readBytes(pathOf(name), fileBytes);
      if ('bytes' in read) return Promise.resolve({ bytes: read.bytes, version: '' });
      // Removed meanwhile, or no record at all.
      return read.code === 'FILE_UNREADABLE'
        ? Promise.reject(unreadableFile('RUNS_UNREADABLE', pathOf(name), read))
        : Promise.resolve(undefined);
    },
    list: async (prefix) => (await namesIn(dir)).map((name) => `${prefix}${name}`),
    swap: async (name, _, bytes) => {
      await makeKeptDirectory(dir);
      await removeLeftovers(dir);
      await replaceFile(pathOf(name), Buffer.from(bytes).toString('utf8'), { isKept: true });
      return { is: 'done', version: '' };
    },
    remove: async (names) => {
      await Promise.all(names.map((name) => rm(pathOf(name), { force: true })));
    },
  };
  return {
    begin: (begun, command) => beginRun(store, Date.now, begun, { command, owner: userName(), host: hostname() }),
    latest: (count) => readRuns(store, count),
  };
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadableFile('RUNS_UNREADABLE', dir, {
      message: `cannot be read: ${systemReason(error)}`,
    });
  }
}
