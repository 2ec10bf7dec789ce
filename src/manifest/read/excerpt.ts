import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import type { Path } from '../../kinds/value.ts';
import type { SourceFile } from './source-document.ts';
import type { YamlTree } from './yaml-tree.ts';

/** Whether the scalar at a path of the document may be shown, or the key there. */
export type ExcerptFilter = (path: Path, isKey?: boolean) => boolean;

/** What is known of the document a line belongs to: its nodes, where it begins in the file, and what of it may be shown. */
export interface KnownFields {
  readonly tree: YamlTree;
  readonly base: number;
  readonly shows: ExcerptFilter;
}

/** How much of a long line is shown before and after the caret. */
const WINDOW = 80;

/** A piece of text on the line and whether it may be shown as it is. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly shown: boolean;
}

/** A place with its line, in which every scalar is `…` unless it is known to be no secret (decisions/0035), nor a private key in the wrong place. Where the syntax is broken, only keys that are among `words` are shown. */
export function placeWithExcerpt(
  file: SourceFile,
  range: readonly [number, number],
  known: KnownFields | undefined,
  words: ReadonlySet<string> = new Set(),
): SourceLocation {
  const { line, col, start, end } = file.spot(range[0]);
  const from = Math.max(start, range[0] - WINDOW);
  const to = Math.min(end, range[0] + WINDOW);
  const pieces: Piece[] = [];
  if (known !== undefined) collect(known.tree.contents, [], known, { from, to }, pieces);
  const before = masked(file.text, from, Math.min(range[0], to), pieces, words);
  const marked = masked(file.text, range[0], Math.min(range[1], to), pieces, words);
  const after = masked(file.text, Math.min(range[1], to), to, pieces, words);
  const lead = from > start ? '… ' : '';
  const caret = lead.length + before.length + 1;
  const excerpt = `${lead}${before}${marked}${after}${to < end ? ' …' : ''}`;
  // Where nothing may be shown, there is nothing to point at.
  if (/^[\s…-]*$/.test(excerpt)) return { file: file.name, line, col };
  const span = Math.max(1, marked.length);
  return { file: file.name, line, col, excerpt, span, ...(caret === col ? {} : { caret }) };
}

/** Keys and scalars that touch the window; mappings and lists elsewhere are not entered. */
function collect(
  node: Node | null,
  path: Path,
  known: { readonly base: number; readonly shows: ExcerptFilter },
  window: { readonly from: number; readonly to: number },
  pieces: Piece[],
): void {
  if (!node?.range) return;
  const [start, end] = [node.range[0] + known.base, node.range[1] + known.base];
  if (start > window.to || node.range[2] + known.base < window.from) return;
  if (isScalar(node)) pieces.push({ start, end, shown: known.shows(path) && !holdsPrivateKey(String(node.value)) });
  else if (isMap(node))
    for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
      if (!key.range || key.range[0] + known.base > window.to) return;
      const inner = isScalar(key) ? [...path, String(key.value)] : undefined;
      const shown = inner !== undefined && known.shows(inner, true);
      pieces.push({ start: key.range[0] + known.base, end: key.range[1] + known.base, shown });
      if (inner !== undefined) collect(value, inner, known, window, pieces);
    }
  else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) collect(item as Node, [...path, index], known, window, pieces);
  }
}

/** A stretch of text with what may not be shown replaced; between the pieces only punctuation stays. */
function masked(text: string, from: number, to: number, pieces: readonly Piece[], words: ReadonlySet<string>): string {
  let result = '';
  let at = from;
  for (const { start, end, shown } of pieces) {
    if (end <= at || start >= to) continue;
    result += onlyPunctuation(text.slice(at, Math.max(at, start)), words);
    result += shown ? text.slice(Math.max(at, start), Math.min(end, to)) : '…';
    at = Math.min(end, to);
  }
  return result + onlyPunctuation(text.slice(at, Math.max(at, to)), words);
}

function onlyPunctuation(text: string, words: ReadonlySet<string>): string {
  return text.replace(/#.*|[^\s\-[\]{},:?|>]+/gs, (found, at: number) =>
    words.has(found) && text[at + found.length] === ':' ? found : '…',
  );
}
