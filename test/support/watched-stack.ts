import { setMaxListeners } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import {
  watchSource,
  type SourceReader,
  type WatchSource,
  type WatchSourceOptions,
} from '../../src/watch/source/watch-source.ts';

/** Texts of files by their paths in a directory. */
export type Texts = Readonly<Record<string, string>>;

/** A small stack: its file, and two manifests. */
export const small: Texts = {
  'sluice.yaml': 'manifests: [edges]\n',
  'edges/shop.yaml': 'a: 1\n',
  'edges/api.yaml': 'a: 1\n',
};

/** A directory of its own for a test, without links in its path, that goes when the test ends. */
export function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-watch-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes files, and the directories they are in. */
export function write(dir: string, texts: Texts): string {
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** Every file of a directory as it stands, hidden ones left out. */
export function textsIn(dir: string, under = ''): Texts {
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(join(dir, under), { withFileTypes: true })) {
    const name = join(under, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) Object.assign(texts, textsIn(dir, name));
    else texts[name] = readFileSync(join(dir, name), 'utf8');
  }
  return texts;
}

/** A reading that takes every text, and names further files as read. */
export function takeTexts(...files: string[]): (dir: string) => Promise<SourceReader<Texts>> {
  return (dir) => Promise.resolve().then(() => ({ value: textsIn(dir), files }));
}

/** A watched stack, what it logged, and a signal for it; all of it ends with the test. */
export interface Watched {
  readonly source: WatchSource;
  readonly logged: string[];
  readonly signal: AbortSignal;
}

/** Watches a directory whose manifests are in `edges`. */
export function watched(dir: string, clock: Clock, options: Partial<WatchSourceOptions> = {}): Watched {
  const logged: string[] = [];
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const source = watchSource({
    dir,
    inputs: () => () => ['edges'],
    debounceMs: 1000,
    scanMs: 10_000,
    poll: true,
    clock,
    log: (level, text) => logged.push(`${level}: ${text}`),
    ...options,
  });
  onTestFinished(() => {
    ending.abort();
    source.close();
  });
  return { source, logged, signal: ending.signal };
}
