import { counted } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { ExposureMap } from '../../model/exposure/exposed-urls.ts';
import { html, Html } from '../text/html.ts';
import { audienceIcons } from './audience-icons.ts';
import { exposureGroups, type ExposedUrl, type ExposureGroup } from './exposure-groups.ts';

// Letters of a fixed width, so that text fits without being measured; the widest usual font takes 0.61 em.
const letter = 8;
const line = 19;
const margin = 16;
const between = 16;
const indent = 34;
const columns = 54;
const width = 2 * margin + indent + columns * letter;

/* Light and dark differ in lightness, not only in hue; what is public has an icon, a word and a frame of its own. */
const style = `
svg { --ground: #ffffff; --ink: #1c2328; --quiet: #59636b; --line: #d9dee2; --public: #8a5800; --well: #2a7148; --soft: #f6f7f8; --open: #fdf5e4; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #111518; --ink: #e4e9ec; --quiet: #9ba7af; --line: #323b41; --public: #e6b457; --well: #74c495; --soft: #191f23; --open: #2a2212; }
}
svg { max-width: 100%; height: auto; }
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); white-space: pre; }
.ground { fill: var(--ground); }
.head { font-weight: 700; }
.quiet { fill: var(--quiet); }
.group { fill: var(--soft); stroke: var(--line); }
.public .group { fill: var(--open); stroke: var(--public); stroke-width: 2; }
.icon { fill: none; stroke: var(--well); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.public .icon { stroke: var(--public); }
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
  const picture = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    role="img"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
  >
    <title>${summaryOf(groups)}</title>
    ${new Html(`<style>${style}</style>`)}
    <rect class="ground" width="${width}" height="${height}" />
    ${isEmpty ? textLines(['No URL of this stack can be reached.'], margin, margin, 'head') : drawn}
  </svg>`;
  return `${picture.text}\n`;
}

interface Drawn {
  readonly height: number;
  readonly content: Html;
}

function drawGroup({ who, audience, urls }: ExposureGroup, top: number): Drawn {
  const heads = broken(`${who} (${counted(urls.length, 'URL')})`);
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
        >${audienceIcons[audience]}</g
      >${textLines(heads, margin + indent, top + 7, 'head')}${rows}</g
    > `,
  };
}

function drawUrl({ url, route, before }: ExposedUrl, top: number): Drawn {
  const texts = [
    { name: 'url', lines: broken(url) },
    { name: 'head', lines: before === undefined ? [] : broken(`before: ${before}`) },
    { name: 'quiet', lines: broken(route) },
  ];
  let y = top;
  const drawn = texts.map(({ name, lines }) => {
    const content = textLines(lines, margin + indent, y, name);
    y += lines.length * line;
    return content;
  });
  const mark = html`<path class="changed" d="M${margin + 14} ${top + 3}V${y}" />`;
  return { height: y - top + 8, content: html`${before !== undefined && mark}${drawn}` };
}

function textLines(texts: readonly string[], x: number, top: number, name: string): Html {
  return html`${texts.map((text, index) => html`<text class="${name}" x="${x}" y="${top + (index + 1) * line - 5}">${text}</text>`)}`;
}

/** Lines that fit, broken at a space or a slash where there is one. */
function broken(text: string): string[] {
  const left = Array.from(safeText(text, 1_000));
  const lines: string[] = [];
  while (left.length > columns) {
    const at = left.slice(0, columns).findLastIndex((one) => one === ' ' || one === '/' || one === ',');
    lines.push(left.splice(0, at < columns / 2 ? columns : at + 1).join(''));
  }
  return [...lines, left.join('')];
}

function summaryOf(groups: readonly ExposureGroup[]): string {
  const urls = groups.flatMap((group) => group.urls);
  const open = groups.filter(({ audience }) => audience === 'public').flatMap((group) => group.urls);
  const changed = urls.filter(({ before }) => before !== undefined);
  return `Who can reach what: ${counted(urls.length, 'URL')}, ${open.length} public${changed.length === 0 ? '' : `, ${changed.length} changed`}`;
}
