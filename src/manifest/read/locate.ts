import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { structureItems, structureItemsOfText } from '../../derive/structure-items.ts';
import type { Path } from '../../kinds/value.ts';
import type { ItemLines, PrintedValue } from '../../model/resource.ts';
import type { SourceDocument } from './source-document.ts';
import type { YamlTree } from './yaml-tree.ts';

/** The offsets of a field in a document, from where its text begins: its key, or itself in a list; the nearest ancestor where it is not there. */
export function locate(tree: YamlTree, path: Path): readonly [number, number] {
  let node: Node | null = tree.contents;
  let range = rangeOf(firstOf(node)) ?? [0, 1];
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(tree) ?? null;
    if (isMap(node)) {
      const pair = (node.items as Pair<Node, Node | null>[]).find(({ key }) => isScalar(key) && key.value === step);
      if (pair === undefined) return range;
      range = rangeOf(pair.key) ?? range;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      const item = node.items[step] as Node | undefined;
      if (item === undefined) return range;
      range = rangeOf(firstOf(item)) ?? range;
      node = item;
    } else return range;
  }
  return range;
}

/** The position of a mapping is that of its first key. */
function firstOf(node: Node | null): Node | null {
  if (!isMap(node) || node.flow === true) return node;
  const [first] = node.items as Pair<Node, Node | null>[];
  return first?.key ?? node;
}

function rangeOf(node: Node | null): readonly [number, number] | undefined {
  return !node?.range ? undefined : [node.range[0], Math.max(node.range[1], node.range[0] + 1)];
}

/** The lines of a structure that a file contains; undefined where the value is not read from one. */
export function itemsInFile(printed: readonly PrintedValue[], path: Path): ItemLines | undefined {
  const read = printed.find(
    (one) => one.path.length === path.length && one.path.every((step, at) => step === path[at]),
  );
  if (read === undefined || !('from_file' in read.origin)) return undefined;
  return { file: read.origin.from_file, lines: linesIn(read.text, 0) };
}

/** The lines of a structure in a manifest: of a mapping, or of a text in block style. Other texts have no lines of their own. */
export function itemsInDocument(tree: YamlTree, path: Path, { file, start }: SourceDocument): ItemLines | undefined {
  const node = tree.getIn(path, true) as Node | undefined;
  if (!node?.range) return undefined;
  if (!isScalar(node)) {
    const items = structureItems(node);
    const lines = items.map(({ pointer, range }) => [pointer, file.spot(start + range[0]).line]);
    return { file: file.name, lines: Object.fromEntries(lines) as Record<string, number> };
  }
  if (node.type !== 'BLOCK_LITERAL' || typeof node.value !== 'string') return undefined;
  return { file: file.name, lines: linesIn(node.value, file.spot(start + node.range[0]).line) };
}

/** The lines of items in a text whose first line follows the given one. */
function linesIn(text: string, before: number): Readonly<Record<string, number>> {
  return Object.fromEntries(structureItemsOfText(text).map(({ pointer, lines: [first] }) => [pointer, before + first]));
}
