import { counted } from '../../diagnostics/counted.ts';

/** A part of a page that may be left out, as a whole. */
export interface Section {
  /** What stands before its first piece; by default nothing. */
  readonly head?: string;
  /** The most important first; each ends with its line. */
  readonly pieces: readonly string[];
  /** How many items each piece is about; by default one. */
  readonly weights?: readonly number[];
  /** What stands after its last piece; by default the end of a line. */
  readonly foot?: string;
  /** What to say of so many items that were left out. */
  readonly omission?: (left: number) => string;
}

/** Gives room to sections in their order and to pieces in theirs; a piece that does not fit is left out whole, and later ones still may fit. */
export function fit(sections: readonly Section[], bytes: number): readonly (Section & { readonly left: number })[] {
  let room = bytes;
  return sections.map((section) => {
    const { head = '', pieces, weights, foot = '\n' } = section;
    const kept: string[] = [];
    let left = 0;
    for (const [at, piece] of pieces.entries()) {
      const cost = Buffer.byteLength(kept.length === 0 ? head + piece + foot : piece);
      if (cost > room) {
        left += weights?.[at] ?? 1;
        continue;
      }
      room -= cost;
      kept.push(piece);
    }
    return { ...section, pieces: kept, left };
  });
}

/** A page of so many bytes at the most: what stands in it in any case, and between that the sections for which there is room, each with what it says of what was left out. */
export function fittedPage(
  { head, sections, foot = '' }: { head: string; sections: readonly Section[]; foot?: string },
  bytes: number,
  roomForOmissions = 200,
): string {
  const room = bytes - Buffer.byteLength(head + foot) - roomForOmissions;
  const texts = fit(sections, room).map(({ head: own = '', pieces, foot: end = '\n', left, omission }) => {
    const shown = pieces.length === 0 ? '' : `${own}${pieces.join('')}${end}`;
    return left === 0 || omission === undefined ? shown : `${shown}_${omission(left)}_\n\n`;
  });
  return `${head}${texts.join('')}${foot}`;
}

/** That so many are left out. */
export function omitted(count: number, word: string): string {
  return `${counted(count, word)} omitted (size limit)`;
}
