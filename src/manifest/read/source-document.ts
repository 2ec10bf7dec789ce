/** A file as it was read, with a way from offsets to lines and columns. */
export class SourceFile {
  /** How it is shown: relative to the stack's directory. */
  readonly name: string;
  /** Where it really is; undefined for standard input. */
  readonly path: string | undefined;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(name: string, text: string, path?: string) {
    this.name = name;
    this.path = path;
    this.text = text;
  }

  /** The line and column of an offset, both from 1, and where that line lies in the text. */
  spot(offset: number): { readonly line: number; readonly col: number; readonly start: number; readonly end: number } {
    const starts = (this.#lineStarts ??= lineStarts(this.text));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = starts[low] ?? 0;
    const next = starts[low + 1];
    const stop = next === undefined ? this.text.length : next - 1;
    const end = this.text[stop - 1] === '\r' ? stop - 1 : stop;
    return { line: low + 1, col: Math.max(offset - start, 0) + 1, start, end };
  }
}

/** One document of a file, by where it begins and ends. */
export interface SourceDocument {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Where its mappings begin: that of the whole, and those in lists. So the place of a resource costs no second reading. */
  readonly starts: WeakMap<object, number>;
  /** Whether the plain reader has read it: each text in it is written the same in the file. */
  readonly isPlain: boolean;
}

function lineStarts(text: string): number[] {
  // A byte order mark is no column of its line.
  const starts = [text.startsWith('\ufeff') ? 1 : 0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
