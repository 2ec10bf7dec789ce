import { createHash } from 'node:crypto';
import { counted } from '../../diagnostics/counted.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceStatus } from '../../model/watch-status.ts';
import { graphNodes, type GraphNode, type GraphNodes } from './graph-nodes.ts';
import { layOut, type Spot } from './graph-layout.ts';
import { html, type Html } from '../text/html.ts';
import { syncStatusWords } from './status-words.ts';

const box = { width: 200, height: 40, across: 264, down: 50, margin: 6 } as const;
const longestLabel = 22;
const longestSubline = 27;

/** What a page calls a resource, whatever its address holds. */
export function anchorOf(address: Address): string {
  return `r-${createHash('sha256').update(address).digest('hex').slice(0, 12)}`;
}

/** The resources and what they refer to, drawn left to right; undefined where there is nothing to draw. */
export function statusGraph(resources: readonly ResourceStatus[]): Html | undefined {
  if (resources.length === 0) return undefined;
  const graph = graphNodes(resources);
  const { spots, columns, rows } = layOut(graph.nodes);
  const width = (columns - 1) * box.across + box.width + 2 * box.margin;
  const height = Math.ceil(rows * box.down) + box.margin;
  const standingOf = new Map(graph.nodes.map(({ key, standing }) => [key, standing]));
  const edges = graph.nodes.flatMap((node) =>
    node.needs.map((need) => edge(spots.get(need), spots.get(node.key), standingOf.get(need), node)),
  );
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
  const title = one ? first : `${counted(node.members.length, 'resource')} of ${node.kind}`;
  return html`<g
    class="node s-${node.standing}${one ? '' : ' many'}"
    data-r="${one ? anchorOf(first) : ''}"
    transform="translate(${x} ${y})"
    ><title>${title}: ${syncStatusWords[node.standing]}</title>${
      one ? undefined : html`<rect class="under" x="4" y="4" width="${box.width}" height="${box.height}" rx="7" />`
    }<rect class="box" width="${box.width}" height="${box.height}" rx="7" /><use
      href="#i-${node.standing}"
      class="icon s-${node.standing}"
      x="10"
      y="12"
      width="16"
      height="16"
    /><text x="36" y="17">${cut(node.label, longestLabel)}</text
    ><text class="kind" x="36" y="31"
      >${cut(node.standing === 'in-sync' ? node.kind : `${syncStatusWords[node.standing]} · ${node.kind}`, longestSubline)}</text
    ></g
  >`;
}

function edge(
  from: Spot | undefined,
  to: Spot | undefined,
  standing: string | undefined,
  node: GraphNode,
): Html | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [a, b] = [corner(from), corner(to)];
  const [x1, y1, x2, y2] = [a.x + box.width, a.y + box.height / 2, b.x, b.y + box.height / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  const held = standing !== 'in-sync' && node.standing !== 'in-sync';
  return html`<path
    class="${held ? 'edge held' : 'edge'}"
    d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"
  />`;
}

function corner({ column, row }: Spot): { readonly x: number; readonly y: number } {
  return { x: box.margin + column * box.across, y: box.margin + Math.round(row * box.down) };
}

function cut(text: string, longest: number): string {
  const letters = Array.from(text);
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}

function summaryOf({ nodes }: GraphNodes): string {
  const edges = nodes.reduce((sum, { needs }) => sum + needs.length, 0);
  return `${counted(nodes.length, 'box', 'boxes')} joined by ${counted(edges, 'line')}; the list of resources says the same in words`;
}

function captionOf({ collapsed, omitted }: GraphNodes): Html {
  return html`What is needed stands to the left of what needs
  it.${
    collapsed === 0
      ? undefined
      : ` To keep it readable, ${counted(collapsed, 'resource')} in sync share a box with their like.`
  }${omitted === 0 ? undefined : ` ${counted(omitted, 'resource')} less in need of attention are not drawn.`}`;
}
