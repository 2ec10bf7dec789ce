import { isDeepStrictEqual } from 'node:util';
import { Composer, Lexer, Parser, visit, type Document, type ScalarTag, type Tags } from 'yaml';
import { stringifyString } from 'yaml/util';
import { parseFully, type ParsedDocument } from '../read/parse-documents.ts';
import { SourceFile } from '../read/source-document.ts';
import { cheaply, treeOptions } from '../read/yaml-tree.ts';

/*
 * The style: two spaces for each level, also below a key that has a list; one space before a comment on a line; at most one
 * blank line; double quotes where they need no backslash. A flow collection is on one line, without spaces inside its brackets, or in block style if it
 * is longer than `flowWidth`. Whether a value is plain, quoted, a block or a flow collection remains the author's choice, as
 * does the order of keys. Only folded text (`>`) is wrapped again, since its line breaks mean nothing.
 *
 * What is printed is formatted until nothing changes, so that formatting twice is formatting once, and compared with what
 * was read: the same values and the same comments, in the same order. Otherwise the text stays as it is.
 */
const flowWidth = 100;
const foldedWidth = 80;
const mostPasses = 5;
const layout = { lineWidth: 0, flowCollectionPadding: false, doubleQuotedMinMultiLineLength: Infinity };

/** A file as it should be written, or why it stays as it is. */
export type Formatted =
  | { readonly text: string }
  /** It does not parse. */
  | { readonly broken: readonly ParsedDocument[] }
  /** Formatting would lose a comment or change a value. */
  | { readonly unsafe: true };

/** Formats the YAML of a file; comments, order and values stay the same. */
export function formattedText(file: SourceFile): Formatted {
  const before = [...parseFully(file)];
  const broken = before.filter(({ problems }) => problems.length > 0);
  if (broken.length > 0) return { broken };
  const text = fixedPoint(file.text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  return text !== undefined && saysTheSame(before, file, text) ? { text } : { unsafe: true };
}

function fixedPoint(source: string): string | undefined {
  let text = source;
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = printed(text);
    if (next === undefined || next === text) return next;
    text = next;
  }
  return undefined;
}

/** Undefined if the text does not parse, which a pass may have caused. */
function printed(text: string): string | undefined {
  const composer = new Composer({ ...treeOptions, customTags: ownStyle });
  const documents = cheaply(() => [...composer.compose(new Parser().parse(text))]);
  // A file with comments alone has none.
  if (documents.length === 0) return text;
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents
    .map((document) => {
      restyle(document, text);
      return document.toString(layout);
    })
    .join('');
}

/** Numbers and such are written as they were. Only folded text has line breaks that mean nothing. */
function ownStyle(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined) return tag;
    const stringify: ScalarTag['stringify'] = (item, context, onComment, onChompKeep) => {
      if (typeof item.value !== 'string') return item.source ?? String(item.value);
      const lineWidth = item.type === 'BLOCK_FOLDED' ? foldedWidth : 0;
      const own = { ...context, actualString: true, options: { ...context.options, lineWidth } };
      return stringifyString(Object.assign({}, item, { value: item.value }), own, onComment, onChompKeep);
    };
    return { ...tag, stringify };
  });
}

function restyle(document: Document.Parsed, text: string): void {
  visit(document, {
    Scalar: (_, node) => {
      if (node.type === 'QUOTE_SINGLE' && !/["\\]/.test(String(node.value))) node.type = 'QUOTE_DOUBLE';
      // The comment behind the mark of a block without lines would be lost.
      if (node.value === '') node.type = 'QUOTE_DOUBLE';
    },
    Collection: (_, node) => {
      const [start, end] = node.range ?? [0, 0];
      if (node.flow === true && text.slice(start, end).replaceAll(/\s+/g, ' ').length > flowWidth) node.flow = false;
    },
  });
}

function saysTheSame(before: readonly ParsedDocument[], file: SourceFile, text: string): boolean {
  const after = [...parseFully(new SourceFile(file.name, text, file.path))];
  return (
    after.every(({ problems }) => problems.length === 0) &&
    isDeepStrictEqual(
      after.map(({ value }) => value),
      before.map(({ value }) => value),
    ) &&
    isDeepStrictEqual(commentsIn(text), commentsIn(file.text))
  );
}

function commentsIn(text: string): string[] {
  const lexemes = [...new Lexer().lex(text)];
  // A scalar follows a mark of its own.
  return lexemes
    .filter((lexeme, index) => lexeme.startsWith('#') && lexemes[index - 1] !== '\x1f')
    .map((comment) => comment.trimEnd());
}
