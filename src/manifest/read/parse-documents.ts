import { Composer, Lexer, Parser, type CST, type YAMLError } from 'yaml';
import { limits } from './limits.ts';
import { plainDocuments } from './plain/plain-documents.ts';
import { OpenBrackets } from './open-brackets.ts';
import type { SourceDocument, SourceFile } from './source-document.ts';
import { syntaxMessage, type SyntaxProblem } from './syntax-problem.ts';
import { wrongIndentation } from './wrong-indentation.ts';
import { toValue } from './to-value.ts';
import { cheaply, treeOptions, type YamlTree } from './yaml-tree.ts';
import type { Written } from './written.ts';

/** A document with what it means; `value` is missing where its syntax is broken. */
export interface ParsedDocument {
  readonly document: SourceDocument;
  readonly value: Written | undefined;
  /** The syntax is valid, so that positions of values are known. */
  readonly wellFormed: boolean;
  readonly problems: readonly SyntaxProblem[];
}

/** The documents of a file, one after the other; empty ones are omitted. Ends where a limit is met. */
export function parseDocuments(file: SourceFile): Iterable<ParsedDocument> {
  return plainDocuments(file) ?? parseFully(file);
}

/** The same by the full parser, which reads all of YAML and reports what is wrong. */
export function* parseFully(file: SourceFile): Generator<ParsedDocument> {
  const composer = new Composer(treeOptions);
  const seen: Seen = { problems: [], brackets: new OpenBrackets(), nodes: 0, broken: 0 };
  for (const token of limitedTokens(file.text, seen)) {
    for (const tree of cheaply(() => [...composer.next(token)])) yield* parsed(file, tree, seen);
    if (seen.nodes > limits.fileNodes) return;
  }
  if (seen.limit !== undefined) {
    const document = { file, start: 0, end: file.text.length, starts: new WeakMap<object, number>(), isPlain: false };
    yield { document, value: undefined, wellFormed: false, problems: [...seen.problems, seen.limit] };
  } else for (const tree of cheaply(() => [...composer.end(true, file.text.length)])) yield* parsed(file, tree, seen);
}

/** What was met: directives and brackets among the tokens, the limit that ended them, and how many values and errors all documents have. */
interface Seen {
  readonly problems: SyntaxProblem[];
  readonly brackets: OpenBrackets;
  nodes: number;
  broken: number;
  limit?: SyntaxProblem;
}

function* parsed(file: SourceFile, tree: YamlTree, seen: Seen): Generator<ParsedDocument> {
  const starts = new WeakMap<object, number>();
  const document = { file, start: tree.range[0], end: tree.range[2], starts, isPlain: false };
  const unclosed = seen.brackets.take();
  // What follows an open bracket is read as part of it.
  const end = Math.min(...unclosed.map(({ range }) => range[0]));
  const errors = [...tree.errors, ...tree.warnings].filter(({ pos }) => pos[0] < end);
  const broken = withoutConsequences(errors).map(({ code, pos }): SyntaxProblem => {
    const [isTag, message] = [code === 'TAG_RESOLVE_FAILED', syntaxMessage(code)];
    // Only so many are listed, and looking at the lines around each of the others would take seconds.
    const isListed = !isTag && ++seen.broken <= limits.problems;
    const indentation = isListed ? wrongIndentation(file, tree.range[0], pos[0]) : undefined;
    return indentation ?? { code: isTag ? 'UNSUPPORTED_YAML_TAG' : 'SYNTAX_ERROR', range: pos, message };
  });
  const problems = [...seen.problems.splice(0), ...broken, ...unclosed];
  const wellFormed = tree.errors.length + unclosed.length === 0;
  if (!wellFormed) yield { document, value: undefined, wellFormed, problems };
  else if (tree.contents !== null && !isNothing(tree)) {
    const { value, problems: wrong, nodes } = toValue(tree, starts, seen.nodes);
    seen.nodes += nodes;
    yield { document, value: broken.length > 0 ? undefined : value, wellFormed, problems: [...problems, ...wrong] };
  } else if (problems.length > 0) yield { document, value: undefined, wellFormed: false, problems };
}

// What follows the first error of structure is mostly a consequence of it. Of two at one place, one names the cause.
function withoutConsequences(errors: readonly YAMLError[]): readonly YAMLError[] {
  const tags = errors.filter(({ code }) => code === 'TAG_RESOLVE_FAILED');
  const structure = errors.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
  const isCause = ({ code }: YAMLError): boolean => code === 'BLOCK_AS_IMPLICIT_KEY';
  let first = structure[0];
  for (const error of structure)
    if (first !== undefined && (error.pos[0] < first.pos[0] || (error.pos[0] === first.pos[0] && isCause(error))))
      first = error;
  return [...(first === undefined ? [] : [first]), ...tags.slice(0, 10)];
}

function isNothing({ contents }: YamlTree): boolean {
  return contents !== null && 'value' in contents && contents.value === null && contents.source === '';
}

/** Lexes and builds tokens under all the limits that can be checked before nodes are made of them. */
function* limitedTokens(text: string, seen: Seen): Generator<CST.Token> {
  const parser = new Parser();
  const counts = { '*': 0, '&': 0, '!': 0 };
  let tokens = 0;
  let offset = 0;
  let afterMark = false;
  for (const lexeme of new Lexer().lex(text)) {
    // A scalar follows a mark of its own; any other token is known by its first character.
    const first = afterMark ? '' : (lexeme[0] ?? '');
    if (!afterMark) seen.brackets.next(lexeme, offset);
    afterMark = lexeme === '\x1f';
    tokens += 1;
    const marks = first === '*' || first === '&' || first === '!' ? ++counts[first] : 0;
    const limit = limitMet(tokens, parser.stack.length, marks, first);
    if (limit !== undefined) {
      seen.limit = { ...limit, range: [offset, offset + 1] };
      return;
    }
    if (first === '%' && lexeme.length > 1 && !/^%YAML[ \t]+1\.2\s*$/.test(lexeme))
      seen.problems.push({
        code: 'SYNTAX_ERROR',
        range: [offset, offset + lexeme.length],
        message: 'YAML directives are not supported',
      });
    for (const token of parser.next(lexeme)) {
      if (token.type === 'document') Object.assign(counts, { '*': 0, '&': 0, '!': 0 });
      yield token;
    }
    offset = parser.offset;
  }
  seen.brackets.end();
  yield* parser.end();
}

function limitMet(
  tokens: number,
  depth: number,
  marks: number,
  mark: string,
): Omit<SyntaxProblem, 'range'> | undefined {
  if (tokens > limits.tokens)
    return {
      code: 'TOO_LARGE',
      message: `the file has more than ${String(limits.tokens)} YAML tokens`,
      hint: 'split the file',
    };
  // The document itself and an open scalar are no levels of the user's.
  if (depth > limits.depth + 2)
    return { code: 'TOO_DEEP', message: `the document is nested more than ${String(limits.depth)} levels deep` };
  if (marks <= limits.aliases) return undefined;
  const what = mark === '*' ? 'aliases' : mark === '&' ? 'anchors' : 'tags';
  return { code: 'TOO_MANY_ALIASES', message: `the document has more than ${String(limits.aliases)} ${what}` };
}
