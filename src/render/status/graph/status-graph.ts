import { counted } from '../../../diagnostics/counted.ts';
import type { Address } from '../../../model/address.ts';
import type { Sliced } from '../../../model/sliced.ts';
import type { ResourceStatus } from '../../../model/status/watch-status.ts';
import { graphNodes, type GraphNode, type GraphNodes, type LineChange } from './graph-nodes.ts';
import { layOut, type Spot } from './graph-layout.ts';
import { html, type Html } from '../../text/html.ts';
import { shortHash } from '../../values/value-text.ts';
import { detailsOf } from '../page/status-folds.ts';
import { syncStatusWords } from '../status-words.ts';

const box = { width: 200, height: 40, across: 264, down: 50, margin: 6 } as const;
const longestLabel = 22;
const longestSubline = 27;
// Of a set of resources of which each depends on each.
const mostEdges = 100;

/** The id of a resource on a page, whatever its address holds. */
export function anchorOf(address: Address): string {
  return `r-${shortHash(address)}`;
}

// Each list of resources is drawn once, however often its page is asked for.
const drawings = new WeakMap<readonly ResourceStatus[], Html>();

/** The dependency graph, drawn left to right; undefined without resources. */
export function* statusGraph(resources: readonly ResourceStatus[]): Sliced<Html | undefined> {
  if (resources.length === 0) return undefined;
  const known = drawings.get(resources);
  if (known !== undefined) return known;
  const graph = yield* graphNodes(resources);
  yield;
  const drawing = drawingOf(graph);
  drawings.set(resources, drawing);
  return drawing;
}

function drawingOf(graph: GraphNodes): Html {
  const { spots, columns, rows } = layOut(graph.nodes);
  const width = (columns - 1) * box.across + box.width + 2 * box.margin;
  const height = Math.ceil(rows * box.down) + box.margin;
  const lines = graph.nodes.flatMap((node) => node.dependsOn.map((need) => ({ node, need })));
  // What changes is never among those that are left out.
  const isChanged = ({ node, need }: Line): number => Number(node.changed.has(need));
  const edges = [...lines]
    .sort((a, b) => isChanged(b) - isChanged(a))
    .slice(0, mostEdges)
    .map(({ node, need }) => edge(spots.get(need), spots.get(node.key), node.changed.get(need)));
  return html`<div class="graph" role="region" aria-label="Dependency graph, scrollable" tabindex="0">
      <svg
        role="img"
        aria-label="${summaryOf(graph)}"
        viewBox="0 0 ${width} ${height}"
        width="${width}"
        height="${height}"
      >
        <g class="edges">${edges}</g>
        ${graph.nodes.map((node) => drawn(node, spots.get(node.key)))}
      </svg>
    </div>
    <p class="caption">${captionOf(graph)}</p>`;
}

function drawn(node: GraphNode, spot: Spot | undefined): Html | undefined {
  if (spot === undefined) return undefined;
  const { x, y } = corner(spot);
  const [first = ''] = node.members;
  const one = node.members.length === 1;
  const title = one ? first : `${counted(node.members.length, 'resource')} of kind ${node.kind}`;
  return html`<g
    class="node s-${node.syncStatus}${one ? '' : ' many'}"
    data-r="${one ? detailsOf(first) : ''}"
    transform="translate(${x} ${y})"
    ><title>${title}: ${syncStatusWords[node.syncStatus]}</title>${
      !one && html`<rect class="under" x="4" y="4" width="${box.width}" height="${box.height}" rx="7" />`
    }<rect class="box" width="${box.width}" height="${box.height}" rx="7" /><use
      href="#i-${node.syncStatus}"
      class="icon s-${node.syncStatus}"
      x="10"
      y="12"
      width="16"
      height="16"
    /><text x="36" y="17">${cut(node.label, longestLabel)}</text
    ><text class="kind" x="36" y="31"
      >${cut(node.syncStatus === 'in-sync' ? node.kind : `${syncStatusWords[node.syncStatus]} · ${node.kind}`, longestSubline)}</text
    ></g
  >`;
}

interface Line {
  readonly node: GraphNode;
  readonly need: string;
}

function edge(from: Spot | undefined, to: Spot | undefined, change: LineChange | undefined): Html | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [a, b] = [corner(from), corner(to)];
  const [x1, y1, x2, y2] = [a.x + box.width, a.y + box.height / 2, b.x, b.y + box.height / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return change === undefined
    ? html`<path class="edge" d="${path}" />`
    : html`<path class="edge ${change}" d="${path}"><title>${lineWords[change]}</title></path>`;
}

function corner({ column, row }: Spot): { readonly x: number; readonly y: number } {
  return { x: box.margin + column * box.across, y: box.margin + Math.round(row * box.down) };
}

function cut(text: string, longest: number): string {
  const letters = Array.from(text);
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}

function summaryOf({ nodes }: GraphNodes): string {
  const edges = nodes.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
  return `${counted(nodes.length, 'box', 'boxes')} and ${counted(edges, 'line')}; the list of resources has the same content as text`;
}

const lineWords: Readonly<Record<LineChange, string>> = {
  added: 'dependency that a pending change adds',
  removed: 'dependency that a pending change removes',
};

function legendOf(nodes: readonly GraphNode[], change: LineChange): Html | undefined {
  const isThere = nodes.some(({ changed }) => [...changed.values()].includes(change));
  if (!isThere) return undefined;
  return html` <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
      <path class="edge ${change}" d="M0 4H28" />
    </svg>
    ${lineWords[change]}.`;
}

function captionOf({ nodes, collapsed, omitted }: GraphNodes): Html {
  return html`Lines lead from a resource, on the left, to the resources that depend on
  it.${legendOf(nodes, 'added')}${legendOf(nodes, 'removed')}${
    collapsed > 0 &&
    ` ${counted(collapsed, 'resource')} in sync ${collapsed === 1 ? 'is' : 'are'} grouped with similar resources.`
  }${omitted > 0 && ` ${counted(omitted, 'less urgent resource is', 'less urgent resources are')} omitted (size limit).`}`;
}
