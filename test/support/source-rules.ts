import { posix } from 'node:path';
import ts from 'typescript';

/** A file of the project, by its path from the repository's root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** What belongs to kinds alone: their names, and the field names that say which kind is meant. */
export interface KindWords {
  readonly kinds: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
}

// A folder imports itself and the folders of earlier layers.
const layers = [
  ['kinds', 'diagnostics'],
  ['model', 'files'],
  ['derive'],
  ['manifest', 'api', 'state', 'plan', 'emulator'],
  ['refresh', 'apply', 'comments'],
  ['stack', 'render'],
  ['watch'],
  ['cli'],
];
const vagueFolders = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc']);
const longestFile = 400;

/** Imports that go against the one-way flow. */
export function layerProblems({ path, text }: Source): readonly string[] {
  const from = folderOf(path);
  const layer = layerOf(from);
  if (layer === undefined) return [`${path}: ${from} is not a folder of the architecture`];
  return importedFiles({ path, text })
    .filter((target) => target !== 'package.json' && !mayImport(from, layer, target))
    .map((target) => `${path}: ${from} may not import ${target}`);
}

/** The files of the project that a file imports. */
export function importedFiles({ path, text }: Source): readonly string[] {
  return importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}

/** Names and sizes that hide where things are. */
export function shapeProblems({ path, text }: Source): readonly string[] {
  const problems: string[] = [];
  const folders = path.split('/').slice(0, -1);
  for (const folder of folders) if (vagueFolders.has(folder)) problems.push(`${path}: ${folder} says nothing`);
  if (posix.basename(path) === 'index.ts' && !/^src\/(index|kinds\/([^/]+\/)?index)\.ts$/.test(path))
    problems.push(`${path}: a barrel`);
  const lines = text.split('\n').length - 1;
  if (lines > longestFile) problems.push(`${path}: ${lines} lines, more than ${longestFile}`);
  return problems;
}

/** Exports without a comment line right above them; re-exports and later overloads need none. */
export function commentProblems({ path, text }: Source): readonly string[] {
  const file = parse(path, text);
  const named = new Set<string>();
  return file.statements.filter(isExport).flatMap((statement) => {
    const name = nameOf(statement);
    if (ts.isFunctionDeclaration(statement) && named.has(name)) return [];
    named.add(name);
    return hasCommentAbove(file, statement) ? [] : [`${path}: no comment above the export of ${name}`];
  });
}

/** The names that a file declares and exports; re-exports bring none of their own. */
export function exportedNames(path: string, text: string): readonly string[] {
  const declared = parse(path, text).statements.filter((one) => isExport(one) && !ts.isExportDeclaration(one));
  return [...new Set(declared.flatMap((one) => nameOf(one).split(', ')))];
}

/** Names of kinds and of their fields in code; comments may say what they like. */
export function kindProblems({ path, text }: Source, words: KindWords): readonly string[] {
  const file = parse(path, text);
  const problems: string[] = [];
  visit(file);
  return problems;

  function visit(node: ts.Node): void {
    for (const word of wordsIn(node)) {
      if (!words.kinds.has(word) && !words.fields.has(word)) continue;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      problems.push(`${path}:${line + 1}: names ${word}`);
    }
    ts.forEachChild(node, visit);
  }
}

/** The name of a kind as code would spell a variable: HTTPSEdge is httpsEdge. */
export function variableName(kind: string): string {
  return kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

function folderOf(path: string): string {
  const [root, folder, ...rest] = path.split('/');
  return root === 'src' && folder !== undefined && rest.length > 0 ? folder : path;
}

// The library's face stands above everything but the command line.
function layerOf(folder: string): number | undefined {
  if (folder === 'src/index.ts') return layers.length - 1;
  const found = layers.findIndex((layer) => layer.includes(folder));
  return found < 0 ? undefined : found;
}

function mayImport(from: string, layer: number, target: string): boolean {
  const to = folderOf(target);
  if (to === from) return true;
  if (to === 'emulator') return from === 'cli' || from === 'stack';
  const below = layerOf(to);
  return below !== undefined && below < layer && to !== 'src/index.ts';
}

function importsOf(text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

const parsed = new Map<string, ts.SourceFile>();

// Several rules look at the same files.
function parse(path: string, text: string): ts.SourceFile {
  const key = `${path}\n${text}`;
  const file = parsed.get(key) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  parsed.set(key, file);
  return file;
}

function isExport(statement: ts.Statement): boolean {
  if (ts.isExportDeclaration(statement)) return statement.moduleSpecifier === undefined;
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(isExportKeyword);
}

function isExportKeyword({ kind }: ts.Modifier): boolean {
  return kind === ts.SyntaxKind.ExportKeyword;
}

function nameOf(statement: ts.Statement): string {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText()).join(', ');
  const { name } = statement as ts.DeclarationStatement;
  return name?.getText() ?? statement.getText().split('\n')[0] ?? '';
}

function hasCommentAbove(file: ts.SourceFile, statement: ts.Statement): boolean {
  const last = ts.getLeadingCommentRanges(file.text, statement.getFullStart())?.at(-1);
  if (last === undefined) return false;
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const isForTools = /^\/[/*]+\s*(oxlint|@ts-|oxfmt)/.test(file.text.slice(last.pos, last.end));
  return !isForTools && lineOf(last.end - 1) + 1 === lineOf(statement.getStart(file));
}

function wordsIn(node: ts.Node): readonly string[] {
  if (ts.isIdentifier(node)) return [node.text];
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isRegularExpressionLiteral(node);
  return isText ? (node.text.match(/\w+/g) ?? []) : [];
}
