import fs from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { keepYoungGeneration, tuneForCommand } from './v8-settings.ts';

/**
 * Runs a CommonJS program with V8's code cache: the first run of a command writes what V8 compiled for it, later runs
 * read that and start in three quarters of the time. A cache is code. It lies beside the program, or in a directory of
 * this user alone, and one that another user could have written is not read. A cache that is missing, damaged or cannot
 * be written only costs time.
 *
 * @param version Changes with every change of the program: V8 compares no more than lengths.
 */
export function runCached(program: URL, version: string, args: readonly string[]): void {
  const file = fileURLToPath(program);
  // The bundle is ASCII, and is wrapped as a function already.
  const source = fs.readFileSync(file, 'latin1');
  tuneForCommand();
  const command = args.find((arg) => cachedCommands.has(arg)) ?? 'other';
  const name = `${version}-${process.version}-${process.arch}-${command}.v8`;
  const directories = cacheDirectories(file);
  const cachedData = directories.map((directory) => readCache(directory, name)).find((data) => data !== undefined);
  const script = new Script(source, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', (code) => {
      // A command that failed has not compiled all it needs. A watch is always interrupted.
      if (![0, changesPending, ...(command === 'watch' ? [interrupted] : [])].includes(code)) return;
      // Valid for the flags with which the program will be loaded.
      tuneForCommand();
      const data = script.createCachedData();
      directories.some((directory) => writeCache(directory, name, data));
    });
  const module = { exports: {} };
  const start = script.runInThisContext() as (...wrapped: unknown[]) => void;
  start(module.exports, createRequire(file), module, file, dirname(file));
  keepYoungGeneration();
}

// Each has a cache of its own, so that none reads what only another needs.
const cachedCommands = new Set(['apply', 'plan', 'validate', 'watch', 'emulator']);
const changesPending = 2;
const interrupted = 130;

interface CacheDirectory {
  readonly path: string;
  /** Users whose files are trusted here: whoever could replace the program itself, or this user. */
  readonly owners: readonly number[];
  /** A directory of this user's own, which is made if it is missing. */
  readonly isPrivate: boolean;
}

function cacheDirectories(program: string): CacheDirectory[] {
  const user = process.geteuid?.();
  if (user === undefined) return [];
  const set = process.env['XDG_CACHE_HOME'] ?? '';
  // A relative path would be one in the working directory, where a repository may have put it.
  const home = isAbsolute(set) ? set : join(homedir(), '.cache');
  return [
    { path: dirname(program), owners: [user, 0, fs.statSync(program).uid], isPrivate: false },
    { path: join(home, 'sluice'), owners: [user], isPrivate: true },
  ];
}

// The bytes after their checksum: V8 itself does not find damage.
function readCache(directory: CacheDirectory, name: string): Buffer | undefined {
  let opened: number | undefined;
  try {
    if (directory.isPrivate && !isOwn(fs.lstatSync(directory.path), directory.owners, 'isDirectory')) return undefined;
    opened = fs.openSync(
      join(directory.path, name),
      fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK,
    );
    if (!isOwn(fs.fstatSync(opened), directory.owners, 'isFile')) return undefined;
    const bytes = fs.readFileSync(opened);
    const data = bytes.subarray(checksumBytes);
    return checksum(data).equals(bytes.subarray(0, checksumBytes)) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

// Written under another name first, so that no reader sees half of it.
function writeCache(directory: CacheDirectory, name: string, data: Buffer): boolean {
  const target = join(directory.path, name);
  const temporary = `${target}.${process.pid}`;
  try {
    if (directory.isPrivate) {
      // Not with Node's recursion, which never ends in `/proc`.
      for (const path of [dirname(directory.path), directory.path])
        if (!fs.existsSync(path)) fs.mkdirSync(path, { mode: 0o700 });
      if (!isOwn(fs.lstatSync(directory.path), directory.owners, 'isDirectory')) return false;
    }
    fs.writeFileSync(temporary, Buffer.concat([checksum(data), data]), { flag: 'wx', mode: 0o644 });
    fs.renameSync(temporary, target);
    removeOld(directory.path);
    return true;
  } catch {
    fs.rmSync(temporary, { force: true });
    return false;
  }
}

// Caches of versions that are no longer installed.
function removeOld(path: string): void {
  for (const name of fs.readdirSync(path))
    if (name.endsWith('.v8') && Date.now() - fs.statSync(join(path, name)).mtimeMs > keptMs)
      fs.rmSync(join(path, name), { force: true });
}

const keptMs = 30 * 24 * 60 * 60_000;
const writableByOthers = 0o022;

function isOwn(found: fs.Stats, owners: readonly number[], kind: 'isDirectory' | 'isFile'): boolean {
  return found[kind]() && owners.includes(found.uid) && (found.mode & writableByOthers) === 0;
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(checksumBytes);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
}

const checksumBytes = 4;
