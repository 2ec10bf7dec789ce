/*
 * The parser reports where its rules are broken, which for wrong indentation is often the line before, at a value. This finds
 * the line to change, from the indentation of the lines before it. Where these contain more than keys and entries of lists,
 * such as text of several lines, it finds nothing.
 */
import type { SourceFile } from './source-document.ts';
import { syntaxMessage, type SyntaxProblem } from './syntax-problem.ts';

/** An indentation that a line may have: that of keys, or of the dashes of a list. */
interface Level {
  readonly of: 'keys' | 'dashes';
  readonly depth: number;
  /** The last line with it, counted from 0. */
  readonly line: number;
}

/** Which indentations a line may have; undefined where that is not certain. */
interface Expected {
  readonly levels: readonly Level[];
  /** Also any that is deeper, since the line before ends where a mapping or list begins. */
  readonly isOpen: boolean;
}

// The next line is looked for so far below an error.
const longestGap = 4000;

// White space of Unicode that YAML takes for text; web pages and word processors put it in place of spaces.
const oddIndentation = /^ *[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000\uFEFF][^\S\r\n]*/;

/** What is wrong with the indentation of the line of an error of syntax, or of the next one; undefined where that is not the cause. */
export function wrongIndentation(file: SourceFile, start: number, offset: number): SyntaxProblem | undefined {
  const { start: first, line: firstLine } = file.spot(start);
  const lines = file.text.slice(first, offset + longestGap).split('\n');
  const at = file.spot(offset).line - firstLine;
  const next = lines.findIndex((line, index) => index > at && !isBlank(line));
  const begin = (index: number): number => first + lines.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0);
  for (const index of [at - 1, at]) {
    const line = lines[index] ?? '';
    const [indent] = oddIndentation.exec(line) ?? [];
    // Text of several lines may begin so too, such as a paragraph in Japanese.
    if (indent !== undefined && (isBlank(line) || isEntry(line.slice(indent.length))))
      return {
        code: 'SYNTAX_ERROR',
        range: [begin(index), begin(index) + indent.length],
        message: 'the indentation contains a character that looks like a space, such as a non-breaking space',
        hint: 'delete the indentation of the line, and type it again with spaces',
      };
  }
  const [tabs] = /^ *\t\s*/.exec(lines[next] ?? '') ?? [];
  // Between brackets, a tab may indent a line.
  const isInBrackets = (): boolean => lines.slice(0, next).some((line) => /[[{,]\s*$/.test(line));
  if (tabs !== undefined && isEntry((lines[next] ?? '').slice(tabs.length)) && !isInBrackets())
    return {
      code: 'SYNTAX_ERROR',
      range: [begin(next), begin(next) + tabs.length],
      message: syntaxMessage('TAB_AS_INDENT'),
    };
  for (const index of [at, next]) {
    const line = lines[index] ?? '';
    const expected = expectedAfter(lines.slice(0, Math.max(0, index)));
    if (expected === undefined || !isEntry(line) || isAllowed(depthOf(line), expected)) continue;
    const nearest = nearestLevel(line, expected.levels);
    if (nearest === undefined) continue;
    return {
      code: 'SYNTAX_ERROR',
      range: [begin(index), begin(index) + Math.max(depthOf(line), 1)],
      message: `the line is indented by ${spaces(depthOf(line))}, which does not match the lines above`,
      hint: `${nearest.depth === 0 ? 'do not indent the line' : `indent the line by ${spaces(nearest.depth)}`}, like the ${nearest.of === 'keys' ? 'key' : '`-`'} in line ${String(firstLine + nearest.line)}`,
    };
  }
  return undefined;
}

function isAllowed(depth: number, { levels, isOpen }: Expected): boolean {
  return levels.some((level) => level.depth === depth) || (isOpen && depth > (levels.at(-1)?.depth ?? -1));
}

function nearestLevel(line: string, levels: readonly Level[]): Level | undefined {
  const depth = depthOf(line);
  const distance = (level: Level): number => Math.abs(level.depth - depth);
  return levels
    .filter(({ of }) => of === (line.startsWith('-', depth) ? 'dashes' : 'keys'))
    .sort((a, b) => distance(a) - distance(b) || b.depth - a.depth)[0];
}

function expectedAfter(lines: readonly string[]): Expected | undefined {
  let levels: readonly Level[] = [];
  let isOpen = true;
  let textBelow: number | undefined;
  for (const [line, text] of lines.entries()) {
    if (isBlank(text) || (textBelow !== undefined && depthOf(text) > textBelow)) continue;
    if (/^---\s*$/.test(text)) [levels, isOpen] = [[], true];
    else if (!isEntry(text)) return undefined;
    else {
      let depth = depthOf(text);
      let rest = text.slice(depth).replace(/ #.*$/, '').trimEnd();
      const reach = (of: Level['of']): void => {
        levels = [...levels.filter((level) => level.depth < depth), { of, depth, line }];
      };
      for (let dash = /^-( +|$)/.exec(rest); dash !== null; dash = /^-( +|$)/.exec(rest)) {
        reach('dashes');
        depth += dash[0].length;
        rest = rest.slice(dash[0].length);
      }
      if (key.test(rest)) reach('keys');
      isOpen = rest === '' || /^[^\s:]+:$/.test(rest);
      textBelow = /(^|: *)[|>][-+0-9]*$/.test(rest) ? (levels.at(-1)?.depth ?? 0) : undefined;
    }
  }
  return { levels, isOpen };
}

const key = /^[^\s:]+:( |$)/;

/** A key or an entry of a list, on a line that is indented by spaces. */
function isEntry(line: string): boolean {
  const rest = line.slice(depthOf(line)).trimEnd();
  return key.test(rest) || /^-( |$)/.test(rest);
}

function depthOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

function isBlank(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : count === 0 ? 'no spaces' : `${String(count)} spaces`;
}
