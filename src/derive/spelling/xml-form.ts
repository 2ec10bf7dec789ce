/*
 * XML by what a parser hands on. Not compared: the declaration, comments and instructions around the root element, line
 * ends, the order of attributes, quotes, <a/> or <a></a>, white space and comments between elements, white space around
 * a text and inside a certificate. Compared: everything else, prefixes too. A comment inside a text counts, for parsers
 * have differed in what they make of it, and whole sign-ins were forged that way. Where a signature is, all white space
 * counts. What has a document type may hold entities, and is compared as text.
 */
import { DOMParser, type Element, type Node } from '@xmldom/xmldom';

const [ELEMENT, TEXT, CDATA, COMMENT] = [1, 3, 4, 8];

/** XML text in one spelling; undefined for what is compared as text. */
export function xmlForm(text: string): string | undefined {
  try {
    const parser = new DOMParser({
      onError: (_level, message) => {
        throw new SyntaxError(message);
      },
    });
    const document = parser.parseFromString(text.replace(/^\uFEFF/, '').trim(), 'text/xml');
    const root = document.documentElement;
    if (root === null || document.doctype !== null) return undefined;
    const isSigned = document.getElementsByTagNameNS('http://www.w3.org/2000/09/xmldsig#', 'Signature').length > 0;
    return JSON.stringify(elementForm(root, isSigned));
  } catch {
    return undefined;
  }
}

type Form = string | readonly Form[];

function elementForm(element: Element, exact: boolean, depth = 0): Form {
  if (depth > 200) throw new SyntaxError('the XML is nested too deeply');
  const attributes = Array.from(element.attributes, ({ name, value }): [string, string] => [name, value]);
  const nodes = Array.from(element.childNodes);
  const text = nodes.filter(isText).map(({ nodeValue }) => nodeValue ?? '');
  const holdsText = exact || text.some((part) => part.trim() !== '');
  const children = holdsText
    ? nodes.some((node) => !isText(node))
      ? nodes.map((node) => nodeForm(node, exact, depth))
      : [textForm(element, text.join(''), exact)]
    : nodes
        .filter(({ nodeType }) => nodeType !== COMMENT && nodeType !== TEXT)
        .map((node) => nodeForm(node, exact, depth));
  return [element.nodeName, attributes.sort(([a], [b]) => (a < b ? -1 : 1)), children];
}

function nodeForm(node: Node, exact: boolean, depth: number): Form {
  if (node.nodeType === ELEMENT) return elementForm(node as Element, exact, depth + 1);
  return isText(node) ? (node.nodeValue ?? '') : [String(node.nodeType), node.nodeName, node.nodeValue ?? ''];
}

function textForm({ localName }: Element, text: string, exact: boolean): string {
  if (exact) return text;
  return localName === 'X509Certificate' ? text.replaceAll(/\s/g, '') : text.trim();
}

function isText({ nodeType }: Node): boolean {
  return nodeType === TEXT || nodeType === CDATA;
}
