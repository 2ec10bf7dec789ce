import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml';
import { isTooDeep } from '../kinds/nesting.ts';
import { pointerOf } from './pointer.ts';

/** An item of a list at the top of a structure, or of a list in its first level: a rule of a policy. */
export interface StructureItem {
  readonly path: readonly (string | number)[];
  readonly pointer: string;
  /** What its field `name` contains. */
  readonly name: string | undefined;
  /** Where it begins and ends in the text. */
  readonly range: readonly [start: number, end: number];
}

/** The items of a parsed structure. */
export function structureItems(node: Node | null | undefined): StructureItem[] {
  if (isSeq(node)) return itemsOf(node.items as Node[], []);
  if (!isMap(node)) return [];
  return (node.items as Pair<Node, Node | null>[]).flatMap(({ key, value }) =>
    isScalar(key) && isSeq(value) ? itemsOf(value.items as Node[], [String(key.value)]) : [],
  );
}

/** The items of a text in JSON or YAML, with the lines on which they begin and end, from 1. */
export function structureItemsOfText(
  text: string,
): (StructureItem & { readonly lines: readonly [first: number, last: number] })[] {
  if (text.length > 100_000 || isTooDeep(text)) return [];
  const counter = new LineCounter();
  const options = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent', lineCounter: counter } as const;
  const { contents } = parseDocument(text, options);
  return structureItems(contents).map((item) => ({
    ...item,
    lines: [counter.linePos(item.range[0]).line, counter.linePos(Math.max(item.range[0], item.range[1] - 1)).line],
  }));
}

function itemsOf(items: readonly Node[], path: readonly string[]): StructureItem[] {
  return items.flatMap((item, index): StructureItem[] => {
    if (!item.range) return [];
    const name: unknown = isMap(item) ? item.get('name') : undefined;
    const own = [...path, index];
    const [start, end] = item.range;
    return [
      { path: own, pointer: pointerOf(own), name: typeof name === 'string' ? name : undefined, range: [start, end] },
    ];
  });
}
