import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

/**
 * Does what a page of the documentation tells its reader to do, in a directory of its own, and answers the page with what
 * the commands printed. A block ```yaml FILE writes a file, ```diff FILE edits one, ```console runs commands: lines that
 * begin with `$ `, of sluice, curl, git, `export NAME=value` or `rm FILE`. `# exit N` after a command is its exit code; one with
 * `&` at its end runs until the page ends, at other ports than the page shows; `> /dev/null` hides standard output. What the reader has done before stands in
 * `<!-- before: sluice ... -->`.
 */
export async function runPage(markdown: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-page-'));
  const end = new AbortController();
  const reader: Reader = { dir: join(dir, 'shop'), env: {}, places: new Map(), end: end.signal };
  mkdirSync(reader.dir);
  try {
    const parts = markdown.split(/^(```\S[^\n]*\n.*?^```$)/ms);
    for (const [, command = ''] of markdown.matchAll(/^<!-- before: (.*) -->$/gm)) await doCommand(command, reader);
    const done: string[] = [];
    for (const part of parts) done.push(part.startsWith('```') ? await doBlock(part, reader) : part);
    return done.join('');
  } finally {
    end.abort();
    await Promise.all(reader.running ?? []);
    rmSync(dir, { recursive: true });
  }
}

interface Reader {
  readonly dir: string;
  readonly env: Record<string, string>;
  /** Where what the page calls `127.0.0.1:PORT` really is. */
  readonly places: Map<string, string>;
  readonly end: AbortSignal;
  /** What was started with `&`. */
  running?: Promise<unknown>[];
}

async function doBlock(block: string, reader: Reader): Promise<string> {
  const [, info = '', text = ''] = /^```([^\n]*)\n(.*)```$/s.exec(block) ?? [];
  const [language, file] = info.split(' ');
  if (language === 'console') return `\`\`\`${info}\n${await doCommands(text, reader)}\`\`\``;
  if (file === undefined) return block;
  const path = join(reader.dir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, language === 'diff' ? edited(readFileSync(path, 'utf8'), text, file) : text);
  return block;
}

async function doCommands(text: string, reader: Reader): Promise<string> {
  let shown = '';
  for (const [line] of text.matchAll(/^\$ .*$/gm)) shown += `${line}\n${await doCommand(line.slice(2), reader)}`;
  return shown;
}

async function doCommand(line: string, reader: Reader): Promise<string> {
  const [, command = '', silently, background, exit = '0'] =
    /^(.*?)(\s+> \/dev\/null)?(\s+&)?(?:\s+# exit (\d+))?$/.exec(line) ?? [];
  let meant = command;
  for (const [reported, real] of reader.places) meant = meant.replaceAll(reported, real);
  const [program, ...args] = (meant.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
  if (program === 'export') {
    const [name = '', value = ''] = (args[0] ?? '').split('=');
    reader.env[name] = value;
    return '';
  }
  if (program === 'rm') {
    rmSync(join(reader.dir, args.at(-1) ?? 'nothing'), { recursive: args[0] === '-r' });
    return '';
  }
  if (program === 'curl' || program === 'git') {
    const who = program === 'git' ? ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com'] : [];
    const { stdout } = await promisify(execFile)(program, [...who, ...args], { cwd: reader.dir, timeout: 200_000 });
    return asOnThePage(stdout, reader);
  }
  expect(program, line).toBe('sluice');
  if (background !== undefined) return startServer(args, reader);
  let shown = '';
  const show = (text: string): void => void (shown += text);
  const io = ioOf(reader, silently === undefined ? show : () => undefined, show, new AbortController().signal);
  // One request at a time, so that changes end in the same order each time.
  const one = args[0] === 'apply' || args[0] === 'destroy' ? ['--parallelism', '1'] : [];
  expect(String(await run([...args, ...one], io, '0.0.0')), `${line}\n${shown}`).toBe(exit);
  return asOnThePage(shown, reader);
}

/** Starts a server at free ports; what it prints at first are its URLs, in the order of the ports it was given. */
async function startServer(args: readonly string[], reader: Reader): Promise<string> {
  const ports = args.filter((word) => /^\d{4,5}$/.test(word));
  const free = args.map((word) => (ports.includes(word) ? '0' : word));
  const shown = await new Promise<string>((ready, failed) => {
    const ended = run(
      free,
      ioOf(reader, ready, () => undefined, reader.end),
      '0.0.0',
    );
    reader.running = [...(reader.running ?? []), ended];
    void ended.then((code) => failed(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  const urls = shown.trim().split('\n');
  for (const [index, port] of ports.entries()) reader.places.set(`127.0.0.1:${port}`, new URL(urls[index] ?? '').host);
  return asOnThePage(shown, reader);
}

function ioOf({ dir, env }: Reader, out: Io['out'], err: Io['err'], signal: AbortSignal): Io {
  return {
    cwd: dir,
    env,
    out,
    err,
    stdin: () => Promise.resolve(Buffer.alloc(0)),
    terminal: { in: false, out: false, err: false },
    ask: () => Promise.resolve('no'),
    signal,
  };
}

function asOnThePage(text: string, { places }: Reader): string {
  let shown = sameEachTime(text);
  for (const [reported, real] of places) shown = shown.replaceAll(real, reported);
  return shown;
}

// Ids, digests, times of day and ages are others in each run.
function sameEachTime(text: string): string {
  return text
    .replace(/\b([a-z]+)_[0-9A-Za-z]{27}\b/g, '$1_…')
    .replace(/\b[0-9a-f]{64}\b/g, '…')
    .replace(/(stack=\w+\/)[0-9a-f]{8}/g, '$1…')
    .replace(/(\bcommit )[0-9a-f]{7}\b/g, '$1…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/\b\d+ (?:s|min) old\b/g, '… old');
}

/** A text with lines exchanged: those with a minus for those with a plus, where the lines beside them show the place. */
function edited(before: string, diff: string, file: string): string {
  const lines = diff.trimEnd().split('\n');
  const side = (sign: string) =>
    lines
      .filter((line) => line.startsWith(sign) || line.startsWith(' '))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const [old, fresh] = [side('-'), side('+')];
  expect(before.split(old), `${file} has the lines of the diff once`).toHaveLength(2);
  return before.replace(old, () => fresh);
}
