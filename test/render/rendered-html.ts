import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** What a page that is rendered as GitHub renders holds. */
export interface Rendered {
  readonly html: string;
  /** The elements in order, with where links lead. */
  readonly elements: readonly string[];
  /** All text outside code. */
  readonly prose: string;
  readonly unbalanced: readonly string[];
}

const lone = new Set(['br', 'hr', 'img', 'input']);

/** Renders Markdown with GitHub's extensions, HTML let through, and takes the page apart. */
export function rendered(markdown: string): Rendered {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const elements: string[] = [];
  const open: string[] = [];
  const unbalanced: string[] = [];
  let prose = '';
  for (const [piece, comment, end, name = '', facts = ''] of html.matchAll(
    /(<!--.*?-->)|<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+|</gs,
  )) {
    if (comment !== undefined) continue;
    if (name === '') {
      if (!open.includes('code')) prose += piece;
    } else if (end === '/') {
      if (open.pop() !== name) unbalanced.push(name);
    } else {
      const href = /href="([^"]*)"/.exec(facts)?.[1];
      elements.push(href === undefined ? `${name}${/\bon\w+=|src=/.test(facts) ? facts : ''}` : `${name} ${href}`);
      if (!lone.has(name)) open.push(name);
    }
  }
  return { html, elements, prose, unbalanced: [...unbalanced, ...open] };
}
