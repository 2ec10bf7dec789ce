import { counted } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Audience, ExposureMap } from '../../model/exposure-map.ts';
import { html, Html } from '../text/html.ts';
import { exposureGroups, type ExposedUrl, type ExposureGroup } from './exposure-groups.ts';

// Letters of a fixed width, so that text fits without being measured; the widest usual font takes 0.61 em.
const letter = 8;
const line = 19;
const margin = 20;
const between = 16;
const indent = 34;
const columns = { url: 52, route: 40 } as const;
const width = 2 * margin + indent + (columns.url + columns.route + 2) * letter;
const routeAt = margin + indent + (columns.url + 2) * letter;

/* Light and dark differ in lightness, not only in hue; what is public has an icon, a word and a frame of its own. */
const style = `
svg { --ground: #ffffff; --ink: #1c2328; --quiet: #59636b; --line: #d9dee2; --bad: #b3261e; --well: #2a7148; --soft: #f6f7f8; --open: #fdf0ee; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #111518; --ink: #e4e9ec; --quiet: #9ba7af; --line: #323b41; --bad: #f5958b; --well: #74c495; --soft: #191f23; --open: #2d1a18; }
}
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); white-space: pre; }
.ground { fill: var(--ground); }
.head { font-weight: 700; }
.quiet { fill: var(--quiet); }
.group { fill: var(--soft); stroke: var(--line); }
.public .group { fill: var(--open); stroke: var(--bad); stroke-width: 2; }
.icon { fill: none; stroke: var(--well); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.public .icon { stroke: var(--bad); }
.nobody .icon { stroke: var(--quiet); }
.changed { fill: none; stroke: var(--ink); stroke-width: 3; }`;

/** What can be reached by whom, as one picture; what a plan changes of it is marked. */
export function exposureSvg(map: ExposureMap): string {
  const groups = exposureGroups(map);
  let y = margin;
  const drawn = groups.map((group) => {
    const one = drawGroup(group, y);
    y += one.height + between;
    return one.content;
  });
  const isEmpty = groups.length === 0;
  const height = isEmpty ? 2 * margin + line : y - between + margin;
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    role="img"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
  >
    <title>${summaryOf(groups)}</title>
    ${new Html(`<style>${style}</style>`)}
    <rect class="ground" width="${width}" height="${height}" />
    ${isEmpty ? textLines(['Nothing can be reached.'], margin, margin, 'head') : drawn}
  </svg> `.text;
}

interface Drawn {
  readonly height: number;
  readonly content: Html;
}

function drawGroup({ who, audience, urls }: ExposureGroup, top: number): Drawn {
  const heads = broken(`${who} (${counted(urls.length, 'URL')})`, columns.url + columns.route);
  const headHeight = heads.length * line + 14;
  let y = top + headHeight + 4;
  const rows = urls.map((one) => {
    const { height, content } = drawUrl(one, y);
    y += height;
    return content;
  });
  return {
    height: y - top,
    content: html`<g class="${audience}"
      ><rect class="group" x="${margin}" y="${top}" width="${width - 2 * margin}" height="${headHeight}" rx="6" /><g
        class="icon"
        transform="translate(${margin + 9} ${top + 8})"
        >${icons[audience]}</g
      >${textLines(heads, margin + indent, top + 7, 'head')}${rows}</g
    > `,
  };
}

function drawUrl({ url, route, before }: ExposedUrl, top: number): Drawn {
  const own = [broken(url, columns.url), broken(route, columns.route)] as const;
  const was = before === undefined ? [] : broken(`before: ${before}`, columns.url + columns.route);
  const rows = Math.max(...own.map(({ length }) => length));
  const height = (rows + was.length) * line + 6;
  const mark = html`<path class="changed" d="M${margin + 14} ${top + 3}v${height - 6}" />`;
  return {
    height,
    content: html`${before === undefined ? undefined : mark}${textLines(own[0], margin + indent, top, '')}${textLines(own[1], routeAt, top, 'quiet')}${textLines(was, margin + indent, top + rows * line, 'head')}`,
  };
}

/** In a square of 18: an open padlock, a closed one, and a circle with a bar. */
const icons: Readonly<Record<Audience, Html>> = {
  public: html`<path d="M3 8.5h12v8H3zM6 8.5V5a3 3 0 0 1 5.8-1" />`,
  restricted: html`<path d="M3 8.5h12v8H3zM6 8.5V5a3 3 0 0 1 6 0v3.5" />`,
  nobody: html`<path d="M9 2a7 7 0 1 1 0 14a7 7 0 1 1 0-14M4 4l10 10" />`,
};

function textLines(texts: readonly string[], x: number, top: number, name: string): Html {
  return html`${texts.map((text, index) => html`<text class="${name}" x="${x}" y="${top + (index + 1) * line - 5}">${text}</text>`)}`;
}

/** Lines of at most so many letters, broken at a space or a slash where there is one. */
function broken(text: string, most: number): string[] {
  const left = Array.from(safeText(text, 1_000));
  const lines: string[] = [];
  while (left.length > most) {
    const at = left.slice(0, most).findLastIndex((one) => one === ' ' || one === '/' || one === ',');
    lines.push(left.splice(0, at < most / 2 ? most : at + 1).join(''));
  }
  return [...lines, left.join('')];
}

function summaryOf(groups: readonly ExposureGroup[]): string {
  const urls = groups.flatMap((group) => group.urls);
  const open = groups.filter(({ audience }) => audience === 'public').flatMap((group) => group.urls);
  const changed = urls.filter(({ before }) => before !== undefined);
  return `Who can reach what: ${counted(urls.length, 'URL')}, ${open.length} public${changed.length === 0 ? '' : `, ${changed.length} changed`}`;
}
