import { readFileSync } from 'node:fs';

/**
 * What the program would print for these arguments, if the build has prepared it in this directory: help of every command, and
 * completion scripts. It wraps as Commander does, without Commander, so that `--help` takes no longer than Node takes to start.
 */
export function preparedAnswer(directory: URL, args: readonly string[], width: number): string | undefined {
  const name = answerName(args);
  if (name === undefined) return undefined;
  try {
    return readFileSync(new URL(name, directory), 'utf8')
      .split('\n')
      .map((line) => wrapped(line, width))
      .join('\n');
  } catch {
    return undefined;
  }
}

/** The file of an answer; undefined for arguments that have none. */
export function answerName(args: readonly string[]): string | undefined {
  const [first, ...rest] = args;
  const last = rest.at(-1) ?? first;
  const isHelp = last === '--help' || last === '-h';
  const words = isHelp ? args.slice(0, -1) : first === 'help' ? rest : args;
  if (args.length === 0 || !words.every((word) => /^[a-z][a-z-]*$/.test(word))) return undefined;
  return `${[...words, ...(words === args ? [] : ['--help'])].join('_')}.txt`;
}

/** In a prepared answer, stands before the text of a line that is wrapped to the width. */
export const wrapMark = '\u0001';

// Narrower text is not wrapped.
const leastWidth = 40;

function wrapped(line: string, width: number): string {
  const indent = line.indexOf(wrapMark);
  if (indent < 0) return line;
  const [before, text] = [line.slice(0, indent), line.slice(indent + 1)];
  if (width - indent < leastWidth) return before + text;
  const lines: string[] = [];
  let current = '';
  for (const chunk of text.match(/\s*\S+/g) ?? []) {
    const fits = current === '' || current.length + chunk.length <= width - indent;
    if (!fits) lines.push(current);
    current = fits ? current + chunk : chunk.trimStart();
  }
  return before + [...lines, current].join(`\n${' '.repeat(indent)}`);
}

/** The width of help in columns, on a terminal of so many or elsewhere. */
export function helpWidth(isTerminal: boolean, columns: number | undefined): number {
  if (!isTerminal) return 100;
  // A terminal without a size reports zero columns.
  return columns === undefined || columns === 0 ? 80 : columns;
}
