import { groupBy } from '../../../model/group-by.ts';

/** A box to place: its key, and the boxes it is drawn to the right of. */
export interface Box {
  readonly key: string;
  readonly dependsOn: readonly string[];
}

/** Where a box stands: its column, and its row from the top, which may lie between two. */
export interface Spot {
  readonly column: number;
  readonly row: number;
}

const leastColumns = 4;

/*
 * Boxes that hang together are laid out in layers, each to the right of all that it needs. Such islands are then packed
 * like bricks, each as far up as some run of columns is free. Standing plays no part, so a box stays where it is while
 * its content changes.
 */
/** Places boxes left to right by what they need. What needs itself in a circle is placed all the same. */
export function layOut(boxes: readonly Box[]): { spots: Map<string, Spot>; columns: number; rows: number } {
  const islands = islandsOf(boxes).sort((a, b) => b.length - a.length);
  const layered = islands.map(layersOf);
  const columns = Math.max(leastColumns, ...layered.map((layers) => layers.length));
  const free = new Array<number>(columns).fill(0);
  const spots = new Map<string, Spot>();
  for (const layers of layered) {
    const rows = rowsOf(layers);
    const starts = Array.from({ length: columns - layers.length + 1 }, (_, start) => ({
      start,
      top: Math.max(...free.slice(start, start + layers.length)),
    }));
    const { start, top } = starts.reduce((best, each) => (each.top < best.top ? each : best));
    for (const [index, layer] of layers.entries())
      for (const { key } of layer) spots.set(key, { column: start + index, row: top + (rows.get(key) ?? 0) });
    const height = Math.max(...rows.values()) + (layers.length === 1 ? 1 : 1.35);
    free.fill(top + height, start, start + layers.length);
  }
  const used = Math.max(0, ...[...spots.values()].map(({ column }) => column + 1));
  return { spots, columns: used, rows: Math.max(0, ...free) };
}

/** Boxes that are joined, directly or through others; those that hang on nothing are one each. */
function islandsOf(boxes: readonly Box[]): Box[][] {
  const root = new Map(boxes.map(({ key }) => [key, key]));
  const find = (key: string): string => {
    let at = key;
    for (let up = root.get(at) ?? at; up !== at; up = root.get(at) ?? at) at = up;
    root.set(key, at);
    return at;
  };
  for (const { key, dependsOn } of boxes)
    for (const need of dependsOn) if (root.has(need)) root.set(find(key), find(need));
  return [...groupBy(boxes, ({ key }) => find(key)).values()];
}

/** The boxes of an island by how long the way to what needs nothing is. */
function layersOf(island: readonly Box[]): Box[][] {
  const byKey = new Map(island.map((box) => [box.key, box]));
  const depths = new Map<string, number>();
  // A box that is met again on the way to itself counts as needing nothing.
  const depthOf = (key: string): number => {
    const known = depths.get(key);
    if (known !== undefined) return known;
    depths.set(key, 0);
    const below = (byKey.get(key)?.dependsOn ?? []).filter((need) => byKey.has(need)).map((need) => depthOf(need) + 1);
    const depth = Math.max(0, ...below);
    depths.set(key, depth);
    return depth;
  };
  const layers = [...groupBy(island, ({ key }) => depthOf(key))];
  return layers.sort(([a], [b]) => a - b).map(([, layer]) => layer);
}

/** A row for each box: the longest layer first, the others beside it, each box near what it is joined to. */
function rowsOf(layers: readonly (readonly Box[])[]): Map<string, number> {
  const joined = neighboursOf(layers.flat());
  const rows = new Map<string, number>();
  const longest = layers.reduce((best, { length }, index) => (length > (layers[best]?.length ?? 0) ? index : best), 0);
  const order = [...layers.keys()].sort((a, b) => Math.abs(a - longest) - Math.abs(b - longest));
  const ranks = ranksOf(layers, joined);
  const byRank = (a: Box, b: Box): number => (ranks.get(a.key) ?? 0) - (ranks.get(b.key) ?? 0);
  for (const index of order) {
    let next = 0;
    const ordered = [...(layers[index] ?? [])]
      .sort(byRank)
      .map(({ key }) => ({ key, row: mean((joined.get(key) ?? []).flatMap((other) => rows.get(other) ?? [])) }));
    if (index !== longest) ordered.sort((a, b) => (a.row ?? Infinity) - (b.row ?? Infinity));
    for (const { key, row } of ordered) {
      const at = Math.max(next, row ?? next);
      rows.set(key, at);
      next = at + 1;
    }
  }
  return rows;
}

/** The order within each layer, such that few lines cross: each box moves to the middle of its neighbours, some times over. */
function ranksOf(layers: readonly (readonly Box[])[], joined: ReadonlyMap<string, string[]>): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const layer of layers) for (const [index, { key }] of layer.entries()) ranks.set(key, index);
  for (let round = 0; round < 4; round++) {
    for (const layer of round % 2 === 0 ? layers : [...layers].reverse()) {
      const ordered = layer.map(({ key }) => ({
        key,
        target: mean((joined.get(key) ?? []).map((other) => ranks.get(other) ?? 0)) ?? ranks.get(key) ?? 0,
      }));
      ordered.sort((a, b) => a.target - b.target);
      for (const [index, { key }] of ordered.entries()) ranks.set(key, index);
    }
  }
  return ranks;
}

function neighboursOf(boxes: readonly Box[]): Map<string, string[]> {
  const joined = new Map(boxes.map(({ key }): [string, string[]] => [key, []]));
  for (const { key, dependsOn } of boxes)
    for (const need of dependsOn) {
      joined.get(key)?.push(need);
      joined.get(need)?.push(key);
    }
  return joined;
}

function mean(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
