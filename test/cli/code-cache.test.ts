import { build } from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nobody, withoutAnotherUser } from '../support/another-user.ts';

// V8 compares only lengths: a cache of a program of equal length shows whether a cache was read.
const program = (text: string): string => `(function(exports,require){process.stdout.write('${text}')})`;

let launcher: string;
let dir: string;
let installed: string;

beforeAll(async () => {
  launcher = mkdtempSync(join(tmpdir(), 'sluice-cache-'));
  chmodSync(launcher, 0o755);
  const outfile = join(launcher, 'start.mjs');
  const contents = `import { pathToFileURL } from 'node:url';
    import { runCached } from './src/cli/code-cache.ts';
    runCached(pathToFileURL(process.argv[2]), 'v1', [process.argv[3] ?? 'plan']);`;
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
});
afterAll(() => rmSync(launcher, { recursive: true }));

beforeEach(() => {
  dir = mkdtempSync(join(launcher, 'case-'));
  chmodSync(dir, 0o755);
  installed = join(dir, 'dist');
  mkdirSync(installed);
  writeFileSync(join(installed, 'program.cjs'), program('ours'));
});

function run(as?: { uid: number; XDG_CACHE_HOME?: string; cwd?: string }): string {
  const { uid, cwd, ...env } = as ?? {};
  return execFileSync(process.execPath, [join(launcher, 'start.mjs'), join(installed, 'program.cjs')], {
    env: { HOME: join(dir, 'home'), ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
    ...(cwd === undefined ? {} : { cwd }),
    encoding: 'utf8',
  });
}

const caches = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.v8'));
const cacheFile = (): string => join(installed, caches(installed)[0] ?? 'missing');

/** Puts a cache of another program where that of ours is. */
function exchangeCache(): void {
  writeFileSync(join(installed, 'program.cjs'), program('evil'));
  run();
  writeFileSync(join(installed, 'program.cjs'), program('ours'));
}

describe('the code cache', () => {
  it('is written by the first run of a command and read by the next', () => {
    exchangeCache();
    expect(caches(installed)).toEqual([`v1-${process.version}-${process.arch}-plan.v8`]);
    expect(run()).toBe('evil');
  });

  it('is also read after a program that has changed how the heap grows, as a plan of a large stack does', () => {
    const large = (text: string): string =>
      `(function(exports,require){require('node:v8').setFlagsFromString('--heap-growing-percent=30');process.stdout.write('${text}')})`;
    writeFileSync(join(installed, 'program.cjs'), large('evil'));
    run();
    writeFileSync(join(installed, 'program.cjs'), large('ours'));
    expect(run()).toBe('evil');
  });

  it.each([
    ['watch', 130, 1],
    ['plan', 130, 0],
    ['plan', 2, 1],
    ['plan', 1, 0],
  ])('of a %s that ends with %d is written %d times: a watch is always interrupted', (command, code, written) => {
    writeFileSync(join(installed, 'program.cjs'), `(function(){process.exitCode=${code}})`);
    const { status } = spawnSync(process.execPath, [
      join(launcher, 'start.mjs'),
      join(installed, 'program.cjs'),
      command,
    ]);
    expect(status).toBe(code);
    expect(caches(installed)).toHaveLength(written);
  });

  it('is not read when others could have written it', () => {
    exchangeCache();
    chmodSync(cacheFile(), 0o664);
    expect(run()).toBe('ours');
  });

  it('is not read through a symbolic link', () => {
    exchangeCache();
    renameSync(cacheFile(), join(dir, 'elsewhere'));
    symlinkSync(join(dir, 'elsewhere'), join(installed, `v1-${process.version}-${process.arch}-plan.v8`));
    expect(run()).toBe('ours');
  });

  it('is not read when a byte of it has changed, and is written again', () => {
    exchangeCache();
    const bytes = readFileSync(cacheFile());
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(cacheFile(), bytes);
    expect(run()).toBe('ours');
    expect(run()).toBe('ours');
    expect(readFileSync(cacheFile())).not.toEqual(bytes);
  });

  it.skipIf(withoutAnotherUser !== '')(`is not read when another user owns it${withoutAnotherUser}`, () => {
    exchangeCache();
    chownSync(cacheFile(), nobody, nobody);
    expect(run()).toBe('ours');
  });

  it.skipIf(withoutAnotherUser !== '')(
    `lies in a directory of the user where the program cannot be written${withoutAnotherUser}`,
    () => {
      const home = join(dir, 'cache');
      mkdirSync(home);
      chownSync(home, nobody, nobody);
      expect(run({ uid: nobody, XDG_CACHE_HOME: home })).toBe('ours');
      expect(caches(installed)).toEqual([]);
      expect(caches(join(home, 'sluice'))).toHaveLength(1);
    },
  );

  it.skipIf(withoutAnotherUser !== '').each(['', 'cache'])(
    `is neither read nor written in the working directory, such as one of a repository, where XDG_CACHE_HOME is "%s"${withoutAnotherUser}`,
    (XDG_CACHE_HOME) => {
      const [home, cwd] = ['home', 'repository'].map((name) => join(dir, name)) as [string, string];
      for (const path of [home, cwd]) {
        mkdirSync(path);
        chownSync(path, nobody, nobody);
      }
      expect(run({ uid: nobody, XDG_CACHE_HOME, cwd })).toBe('ours');
      expect(readdirSync(cwd)).toEqual([]);
      expect(caches(join(home, '.cache', 'sluice'))).toHaveLength(1);
    },
  );

  it.skipIf(withoutAnotherUser !== '')(
    `is neither read nor written in a directory that others can write${withoutAnotherUser}`,
    () => {
      const home = join(dir, 'cache');
      mkdirSync(join(home, 'sluice'), { recursive: true });
      chmodSync(join(home, 'sluice'), 0o777);
      expect(run({ uid: nobody, XDG_CACHE_HOME: home })).toBe('ours');
      expect(caches(join(home, 'sluice'))).toEqual([]);
    },
  );
});
