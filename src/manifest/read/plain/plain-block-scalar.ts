import { type PlainLines, doubt } from './plain-lines.ts';

/** The text of a literal block scalar whose header is on the current line. Leads to the line after it. */
export function blockScalar(lines: PlainLines, parentIndent: number, at: number): string {
  const { text } = lines;
  const strips = text[at + 1] === '-';
  if (lines.skipSpaces(at + (strips ? 2 : 1)) !== lines.end) throw doubt;
  const content: string[] = [];
  let indent: number | undefined;
  let end = lines.end;
  while (end + 1 < text.length) {
    const begin = end + 1;
    const start = lines.skipSpaces(begin);
    const stop = text.indexOf('\n', start);
    // What a last line without a line break means is left to the full parser.
    if (stop === -1) throw doubt;
    if (start === stop) {
      // A line of spaces may be content; an empty one before the first is not.
      if (start !== begin || indent === undefined) throw doubt;
      content.push('');
    } else {
      const here = start - begin;
      indent ??= here > parentIndent ? here : 0;
      if (indent === 0 || (here < indent && here > parentIndent)) throw doubt;
      if (here < indent) break;
      content.push(text.slice(begin + indent, stop));
    }
    end = stop;
  }
  lines.goOn(end);
  if (!lines.isAtEnd() && lines.indent > parentIndent) throw doubt;
  while (content.at(-1) === '') content.pop();
  if (content.length === 0) throw doubt;
  return strips ? content.join('\n') : `${content.join('\n')}\n`;
}
