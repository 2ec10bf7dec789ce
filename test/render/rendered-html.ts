import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { parseFragment, serialize, type DefaultTreeAdapterTypes } from 'parse5';

/** What a page that is rendered as GitHub renders holds. */
export interface Rendered {
  readonly html: string;
  /** The elements in order, each with all of its attributes: `a href=https://example.com/`. */
  readonly elements: readonly string[];
  /** All text outside code. */
  readonly prose: string;
  /** Whether a browser takes the page as it is written, with nothing to close or to leave out. */
  readonly isWhole: boolean;
}

/** Renders Markdown with GitHub's extensions, HTML let through, and takes the page apart as a browser does. */
export function rendered(markdown: string): Rendered {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const page = parseFragment(html);
  const elements: string[] = [];
  let prose = '';
  visit(page, false);
  return { html, elements, prose, isWhole: sameTags(tagsOf(html), tagsOf(serialize(page))) };

  function visit(node: DefaultTreeAdapterTypes.ParentNode, isCode: boolean): void {
    for (const child of node.childNodes) {
      if (child.nodeName === '#text') {
        if (!isCode) prose += (child as DefaultTreeAdapterTypes.TextNode).value;
      } else if ('tagName' in child) {
        elements.push([child.tagName, ...child.attrs.map(({ name, value }) => `${name}=${value}`)].join(' '));
        visit(child, isCode || child.tagName === 'code');
        if (!isCode && !inline.has(child.tagName)) prose += '\n';
      }
    }
  }
}

const inline = new Set(['code', 'strong', 'em', 'a']);

function tagsOf(html: string): readonly string[] {
  return html.replace(/<!--.*?-->/gs, '').match(/<\/?[a-z][a-z0-9]*/g) ?? [];
}

function sameTags(a: readonly string[], b: readonly string[]): boolean {
  return a.join(' ') === b.join(' ');
}
