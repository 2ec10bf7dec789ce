import { safeText } from '../../diagnostics/safe-text.ts';

/*
 * Text from outside on a page that turns `@name`, `#12`, `org/repo#12`, addresses, emoji codes, keys of trackers and
 * more into links and notifications, each platform its own. All of them leave code alone. So whatever is not a plain
 * English word goes into a code span: nothing is listed, nothing can be forgotten.
 */
const plainWord = /^\(?[A-Za-z]+(?:['-][A-Za-z]+)*[).,;:?]*$/;
const endOfSentence = /^[).,;:?]+$/;
const plainNumber = /^\(?\d{1,6}[).,;:]*$/;
// Seven letters from a to f may be the beginning of a commit's name, also after an apostrophe or a hyphen.
const commitName = /(?<![A-Za-z])[a-fA-F]{7,}(?![A-Za-z])/;

const longest = 1000;

/** External text as Markdown with the same content, for any context but a fenced block: plain words stay, everything else becomes code. */
export function markdownText(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  // Text between backticks in a message is one piece of code, with its spaces.
  const parts = cut
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? markdownCode(part.slice(1, -1)) : wordsText(part)));
  // Two spans of code side by side would be read as one of another length.
  return parts
    .reduce((before, part) => `${before}${before.endsWith('`') && part.startsWith('`') ? ' ' : ''}${part}`, '')
    .trim();
}

/** Text from outside as one code span. */
export function markdownCode(text: string): string {
  // A table would end its cell at a pipe, and not every one lets it be escaped inside code.
  const safe = safeText(text).replaceAll('|', String.raw`\u{7c}`);
  if (safe.trim() === '') return safe;
  const fence = '`'.repeat(longestRun(safe) + 1);
  const pad = safe.startsWith('`') || safe.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** Lines of a language in a fence that nothing inside can end. */
export function markdownFence(language: string, lines: readonly string[]): string {
  const safe = lines.map((line) => safeText(line, 4000));
  const fence = '`'.repeat(Math.max(3, longestRun(safe.join('\n')) + 1));
  return [`${fence}${language}`, ...safe, fence].join('\n');
}

function wordsText(text: string): string {
  const pieces: { code: boolean; text: string }[] = [];
  for (const word of text.split(' ')) {
    const code = word !== '' && !isPlain(word);
    const last = pieces.at(-1);
    if (last?.code === true && code) last.text += ` ${word}`;
    else pieces.push({ code, text: word });
  }
  return pieces.map((piece) => (piece.code ? codeWithin(piece.text) : piece.text)).join(' ');
}

function isPlain(word: string): boolean {
  return plainNumber.test(word) || endOfSentence.test(word) || (plainWord.test(word) && !commitName.test(word));
}

/** The signs that end a part of a sentence stand outside the code, and so does the end of a bracket that began before it. */
function codeWithin(text: string): string {
  const end = (text.includes('(') ? /[,;:]?$/ : /\)?[,;:]?$/).exec(text)?.[0] ?? '';
  return `${markdownCode(text.slice(0, text.length - end.length))}${end}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
