import { resolve } from 'node:path';
import { quoted } from '../../../diagnostics/quoted.ts';
import { decodeText, readSafely } from '../../../files/safe-file.ts';
import { webUrl } from '../../../kinds/formats/web-names.ts';
import type { Io } from '../../io.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** A URL as given, and where it was given. */
interface Given {
  readonly text: string;
  readonly where: string;
}

const maxListed = 20;

/** The URLs to report, from arguments, files and standard input (`-`), validated and without duplicates. */
export async function urlsToReport(
  io: Pick<Io, 'cwd' | 'stdin'>,
  args: readonly string[],
  files: readonly string[],
): Promise<readonly string[]> {
  const given: Given[] = [];
  for (const [index, text] of args.entries())
    if (text === '-') given.push(...(await fromStdin(io)));
    else given.push({ text, where: `argument ${index + 1}` });
  for (const file of files) given.push(...(file === '-' ? await fromStdin(io) : fromFile(io.cwd, file)));
  const bad = given.filter(({ text }) => webUrl.test(text) !== undefined);
  if (bad.length > 0) throw badUrls(bad);
  if (given.length === 0)
    throw new UsageError('no URLs to report', 'pass URLs, --file with one URL per line, or - for standard input');
  // Equivalent spellings of a URL count as one; the first spelling is used.
  const byAddress = new Map<string, string>();
  for (const { text } of given) {
    const address = URL.canParse(text) ? new URL(text).href : text;
    if (!byAddress.has(address)) byAddress.set(address, text);
  }
  return [...byAddress.values()];
}

async function fromStdin(io: Pick<Io, 'stdin'>): Promise<readonly Given[]> {
  const read = decodeText(await io.stdin());
  if ('code' in read) throw new UsageError(`standard input ${read.message}`);
  return inLines(read.text, 'standard input');
}

function fromFile(cwd: string, file: string): readonly Given[] {
  const read = readSafely(resolve(cwd, file));
  if ('code' in read) throw new UsageError(`--file: ${file} ${read.message}`);
  return inLines(read.text, file);
}

/** One URL per line; blank lines and lines that start with # are ignored. */
function inLines(text: string, name: string): readonly Given[] {
  return text
    .replace(/^\u{feff}/u, '')
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), where: `${name}:${index + 1}` }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

function badUrls(bad: readonly Given[]): UsageError {
  const listed = bad.slice(0, maxListed).map(({ text, where }) => `${where}: ${quoted(text, 200)}`);
  const more = bad.length > maxListed ? `, and ${bad.length - maxListed} more arguments or lines` : '';
  return new UsageError(
    `${bad.length === 1 ? 'not an http or https URL' : 'not http or https URLs'}: ${listed.join(', ')}${more}`,
    'write complete URLs, such as https://host.example.com/page; nothing was reported',
  );
}
