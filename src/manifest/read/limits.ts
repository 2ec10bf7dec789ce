import { fileBytes } from '../../files/safe-file.ts';
import { isWrittenObject } from './written.ts';

/** What one run reads at most. Far above what people write, and low enough that hostile input ends in bounded time. */
export const limits = {
  fileBytes,
  totalBytes: 64_000_000,
  files: 50_000,
  /** Mappings and lists inside each other. */
  depth: 64,
  /** Aliases in a document, and anchors, and tags. */
  aliases: 50,
  /** Values in a document, aliases followed. */
  nodes: 100_000,
  /** The same in a file. Without aliases, the limit of tokens is met before. */
  fileNodes: 400_000,
  /** How much one manifest may contain while patches change it, by `weightOf`. */
  patched: 200_000,
  /** How much all patches together may process, by `weightOf`. */
  patchWork: 3_000_000,
  /** How much module sets add to all resources together, by `weightOf`. */
  expanded: 1_000_000,
  /** Characters of a text that a template makes. */
  templateText: 100_000,
  /** Lexical tokens in a file, blank lines and comments among them. */
  tokens: 400_000,
  /** Names compared to find the one that was meant. */
  candidates: 500,
  /** Problems reported of one file; the rest is counted. */
  problems: 100,
};

// How many characters of text count as one value.
const charactersPerValue = 32;

/** How much there is in a value: one for each value in it, and more for long texts. Stops counting beyond the limit. */
export function weightOf(value: unknown, limit: number): number {
  let weight = 0;
  const left = [value];
  while (left.length > 0 && weight <= limit) {
    const here = left.pop();
    weight += 1 + (typeof here === 'string' ? Math.floor(here.length / charactersPerValue) : 0);
    if (Array.isArray(here)) for (const item of here as readonly unknown[]) left.push(item);
    else if (isWrittenObject(here)) for (const key of Object.keys(here)) left.push(here[key]);
  }
  return weight;
}
