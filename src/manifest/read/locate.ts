import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { Path } from '../../kinds/value.ts';
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
