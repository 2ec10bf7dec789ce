const [space, newline, hash, dash] = [0x20, 0x0a, 0x23, 0x2d];

/** The lines of a text that are neither empty nor comments, one at a time. Offsets count from the beginning of the text. */
export class PlainLines {
  readonly text: string;
  /** Whether there is a current line. */
  has = true;
  /** Spaces before the first character, or its column where a list item begins a mapping on the line of its dash. */
  indent = 0;
  /** The first character that is not a space. */
  start = 0;
  /** The line break, or the end of the text. */
  end = -1;
  /** Whether the line is `---`. */
  isMarker = false;
  /** Whether the line begins a list item. */
  isItem = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Goes to the next line. */
  next(): void {
    const { text } = this;
    while (this.end < text.length) {
      const begin = this.end + 1;
      const start = this.skipSpaces(begin);
      const at = text.indexOf('\n', start);
      this.end = at === -1 ? text.length : at;
      const first = text.charCodeAt(start);
      if (start === this.end || first === hash) continue;
      this.#begin(start, start - begin);
      this.isMarker = this.indent === 0 && text.startsWith('---', start);
      if (this.isMarker && this.skipSpaces(start + 3) !== this.end) throw doubt;
      // Directives, and ends of documents.
      if (this.indent === 0 && (first === 0x25 || text.startsWith('...', start))) throw doubt;
      return;
    }
    this.has = false;
    this.isMarker = this.isItem = false;
  }

  /** Whether no line of this document is left. */
  isAtEnd(): boolean {
    return !this.has || this.isMarker;
  }

  /** Goes on after a block of lines that another has read: the current line is the one after `end`. */
  goOn(end: number): void {
    this.end = end;
    this.next();
  }

  /** Begins a mapping on the line of its dash, if there is one at this offset. */
  beginAt(from: number): boolean {
    // A list in a list on one line is read by the full parser.
    if (this.#isDash(from)) throw doubt;
    if (keyLength(this.text, from) === 0) return false;
    this.#begin(from, this.indent + (from - this.start));
    return true;
  }

  /** The first offset from here that is not a space. */
  skipSpaces(from: number): number {
    let at = from;
    while (this.text.charCodeAt(at) === space) at += 1;
    return at;
  }

  /** Whether nothing but a comment follows on the line; `from` follows a space, or is the end. */
  isRestEmpty(from: number): boolean {
    return from >= this.end || this.text.charCodeAt(from) === hash;
  }

  #begin(start: number, indent: number): void {
    this.start = start;
    this.indent = indent;
    this.isItem = this.#isDash(start);
  }

  #isDash(at: number): boolean {
    if (this.text.charCodeAt(at) !== dash) return false;
    const after = this.text.charCodeAt(at + 1);
    return after === space || after === newline || at + 1 === this.text.length;
  }
}

/** How long the plain key of letters, digits and a few signs is that begins at an offset and ends at a colon; 0 where there is none. */
export function keyLength(text: string, at: number): number {
  keyPattern.lastIndex = at;
  return keyPattern.test(text) ? keyPattern.lastIndex - at : 0;
}

// The full parser refuses keys of more than 1,024 characters.
const keyPattern = /[A-Za-z_][\w./-]{0,999}(?=:(?:[ \n]|$))/y;

/** Thrown where the plain reader is not certain. Nobody is shown it: the full parser reads the text then. */
export const doubt = new Error('not-plain-yaml');
