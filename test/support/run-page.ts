import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../src/cli/run.ts';

/**
 * Does what a page of the documentation tells its reader to do, in a directory of its own, and answers the page with what
 * the commands printed. A block ```yaml FILE writes a file, ```diff FILE edits one, ```console runs commands: lines that
 * begin with `$ `, of sluice, `export NAME=value` or `rm FILE`. `# exit N` after a command is its exit code. What the reader has
 * done before stands in `<!-- before: sluice ... -->`.
 */
export async function runPage(markdown: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-page-'));
  const reader = { dir: join(dir, 'shop'), env: { SLUICE_API_KEY: 'any' } };
  mkdirSync(reader.dir);
  try {
    const parts = markdown.split(/^(```\S[^\n]*\n.*?^```$)/ms);
    for (const [, command = ''] of markdown.matchAll(/^<!-- before: (.*) -->$/gm)) await doCommand(command, reader);
    const done: string[] = [];
    for (const part of parts) done.push(part.startsWith('```') ? await doBlock(part, reader) : part);
    return done.join('');
  } finally {
    rmSync(dir, { recursive: true });
  }
}

interface Reader {
  readonly dir: string;
  readonly env: Record<string, string>;
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
  const [, command = '', exit = '0'] = /^(.*?)(?:\s+# exit (\d+))?$/.exec(line) ?? [];
  const [program, ...args] = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
  if (program === 'export') {
    const [name = '', value = ''] = (args[0] ?? '').split('=');
    reader.env[name] = value;
    return '';
  }
  if (program === 'rm') {
    rmSync(join(reader.dir, args.at(-1) ?? 'nothing'), { recursive: args[0] === '-r' });
    return '';
  }
  expect(program, line).toBe('sluice');
  let shown = '';
  const show = (text: string): void => void (shown += text);
  const io = {
    cwd: reader.dir,
    env: reader.env,
    out: show,
    err: show,
    stdin: () => Promise.resolve(Buffer.alloc(0)),
    terminal: { in: false, out: false, err: false },
    ask: () => Promise.resolve('no'),
    signal: new AbortController().signal,
  };
  expect(String(await run(args, io, '0.0.0')), `${line}\n${shown}`).toBe(exit);
  return sameEachTime(shown);
}

// Ids, digests and times of day are others in each run.
function sameEachTime(text: string): string {
  return text
    .replace(/\b([a-z]+)_[0-9A-Za-z]{27}\b/g, '$1_…')
    .replace(/\b[0-9a-f]{64}\b/g, '…')
    .replace(/(stack=\w+\/)[0-9a-f]{8}/g, '$1…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
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
