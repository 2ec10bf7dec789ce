import { isScalar, type Node } from 'yaml';
import { structureItems, structureItemsOfText } from '../../derive/structure-items.ts';
import type { Path } from '../../kinds/value.ts';
import type { ItemLines, PrintedValue } from '../../model/resource.ts';
import type { SourceDocument } from './source-document.ts';
import type { YamlTree } from './yaml-tree.ts';

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
