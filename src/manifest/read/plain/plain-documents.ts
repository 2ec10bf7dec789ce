import type { ParsedDocument } from '../parse-documents.ts';
import type { SourceFile } from '../source-document.ts';
import type { Written } from '../written.ts';
import { doubt, PlainLines } from './plain-lines.ts';
import { inlineValue, keyAt } from './plain-inline.ts';

/**
 * The documents of a file in plain YAML, ten times as fast as the full parser: block mappings and lists, flow
 * collections and quoted strings on one line, literal block scalars, comments. Answers exactly what the full parser
 * answers, or undefined where there is the least doubt: then that one reads the file, and finds what is wrong.
 */
export function plainDocuments(file: SourceFile): ParsedDocument[] | undefined {
  if (file.text.length > largest || unusual.test(file.text)) return undefined;
  try {
    return new PlainReader(file).documents();
  } catch (error) {
    if (error === doubt) return undefined;
    throw error;
  }
}

// Far below the limits of tokens and values of the full parser, so that it alone reports those.
const largest = 128 * 1024;
const deepest = 50;
// Tabs, carriage returns and other control characters, line breaks and spaces outside ASCII, surrogates.
const unusual =
  /[\0-\x09\x0b-\x1f\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ud800-\udfff\ufeff\ufffe\uffff]/;

class PlainReader {
  readonly #file: SourceFile;
  readonly #lines: PlainLines;
  // One for all documents: each map takes more memory than most documents.
  readonly #starts = new WeakMap<object, number>();
  #depth = 0;

  constructor(file: SourceFile) {
    this.#file = file;
    this.#lines = new PlainLines(file.text);
  }

  documents(): ParsedDocument[] {
    const lines = this.#lines;
    const found: ParsedDocument[] = [];
    lines.next();
    while (lines.has) {
      const document = this.#document(lines.start);
      if (document !== undefined) found.push(document);
    }
    return found;
  }

  #document(start: number): ParsedDocument | undefined {
    const lines = this.#lines;
    if (lines.isMarker) lines.next();
    if (lines.isAtEnd()) return undefined;
    if (lines.indent !== 0) throw doubt;
    const value = this.#started(lines.start, this.#block());
    if (!lines.isAtEnd()) throw doubt;
    const end = lines.isMarker ? lines.start : this.#file.text.length;
    const document = { file: this.#file, start, end, starts: this.#starts, isPlain: true };
    return { document, value, wellFormed: true, problems: [] };
  }

  /** The mapping or list that begins on the current line. */
  #block(): Extract<Written, object> {
    if (++this.#depth > deepest) throw doubt;
    const value = this.#lines.isItem ? this.#list() : this.#mapping();
    this.#depth -= 1;
    return value;
  }

  #mapping(): Record<string, Written> {
    const lines = this.#lines;
    const { indent } = lines;
    const value: Record<string, Written> = {};
    do {
      const key = keyAt(lines.text, lines.start);
      if (Object.hasOwn(value, key)) throw doubt;
      value[key] = this.#valueOf(indent, lines.start + key.length + 1);
    } while (!lines.isAtEnd() && lines.indent === indent && !lines.isItem);
    // A deeper line would continue a plain scalar.
    if (!lines.isAtEnd() && lines.indent > indent) throw doubt;
    return value;
  }

  /** What follows a key: on its line, or on the lines below. Leads to the line after it. */
  #valueOf(indent: number, at: number): Written {
    const lines = this.#lines;
    const from = lines.skipSpaces(at);
    if (!lines.isRestEmpty(from)) return this.#onLine(indent, from);
    lines.next();
    this.#mustGoOn();
    if (lines.indent < indent) return null;
    if (lines.indent > indent || lines.isItem) return this.#block();
    return null;
  }

  #list(): Written[] {
    const lines = this.#lines;
    const { indent } = lines;
    const items: Written[] = [];
    while (!lines.isAtEnd() && lines.indent === indent && lines.isItem) items.push(this.#item(indent));
    if (!lines.isAtEnd() && lines.indent > indent) throw doubt;
    return items;
  }

  #item(indent: number): Written {
    const lines = this.#lines;
    const from = lines.skipSpaces(lines.start + 1);
    if (lines.isRestEmpty(from)) {
      lines.next();
      this.#mustGoOn();
      if (lines.indent <= indent) return null;
      return this.#started(lines.start, this.#block());
    }
    if (!lines.beginAt(from)) return this.#started(from, this.#onLine(indent, from));
    return this.#started(from, this.#block());
  }

  // Where a document ends that ends in nothing is left to the full parser.
  #mustGoOn(): void {
    if (this.#lines.isAtEnd()) throw doubt;
  }

  #started<T extends Written>(at: number, value: T): T {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) this.#starts.set(value, at);
    return value;
  }

  /** A value that begins on the current line and is not a block collection; `indent` is that of its parent. */
  #onLine(indent: number, from: number): Written {
    const lines = this.#lines;
    if (lines.text[from] === '|') return blockScalar(lines, indent, from);
    const { value, end } = inlineValue(lines, from, this.#starts, deepest - this.#depth);
    if (!lines.isRestEmpty(lines.skipSpaces(end)) || (lines.text[end] === '#' && end > from)) throw doubt;
    lines.next();
    return value;
  }
}

/** The text of a literal block scalar whose header is on the current line. Leads to the line after it. */
function blockScalar(lines: PlainLines, parentIndent: number, at: number): string {
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
  while (content.at(-1) === '') content.pop();
  if (content.length === 0) throw doubt;
  return strips ? content.join('\n') : `${content.join('\n')}\n`;
}
