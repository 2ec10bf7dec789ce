// Every text in a folder of sources that a user can be shown, by file: messages, hints, help, labels and descriptions.
import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import ts from 'typescript';

// Style and scripts: what they show comes from the other files.
const noText = new Set([
  'src/render/status/page/status-style.ts',
  'src/render/status/page/status-script.ts',
  'src/cli/commands/completion/completion-scripts.ts',
]);

// For programs alone: statements of SQL, headers of HTTP, style sheets, the first line of a key, routes of the emulator.
const forPrograms =
  /^(?:(?:SELECT|SET TRANSACTION|INSERT INTO|UPDATE|DELETE FROM|WITH l AS) |(?:GET|PUT|POST|DELETE),? [A-Za-z/]+$|(?:default|style|script|connect|img|form|base|frame)-[a-z]+ |text\/\w+;|(?:Bearer|Basic) \$|Path=\/|query \(|\s*svg \{|(?:-----.*|PRIVATE KEY)$)/;

/** The texts as one document: a heading for each file, a line for each text. What is filled in stands as `${expression}`. */
export function shownStrings(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll(sep, '/')))
    .filter((path) => path.endsWith('.ts') && !noText.has(path))
    .sort();
  const sections = files.map((file) => ({ file, texts: textsIn(file) })).filter(({ texts }) => texts.length > 0);
  return `${sections.map(({ file, texts }) => [`# ${file}`, ...texts].join('\n')).join('\n\n')}\n`;
}

function textsIn(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node)) add(node.text, node.text);
    else if (ts.isTemplateExpression(node)) {
      const filledBy = (put: (expression: string) => string): string =>
        node.head.text +
        node.templateSpans.map(({ expression, literal }) => put(expression.getText(source)) + literal.text).join('');
      const isShown = add(
        filledBy((expression) => `\${${expression.replace(/\s+/g, ' ')}}`),
        filledBy(() => '0'),
      );
      // Texts inside it are part of this line.
      if (isShown) return;
    }
    ts.forEachChild(node, visit);
  }

  function add(shown: string, words: string): boolean {
    if (!isProse(words) || forPrograms.test(shown)) return false;
    found.push(shown.replaceAll('\n', '\\n'));
    return true;
  }
}

/** Words with a space between them; markup, patterns and code have other signs there, and internal keys a NUL. */
function isProse(text: string): boolean {
  return !text.includes('\0') && /[A-Za-z]{2,}[,:;'`)]* [(`'"]?[A-Za-z0-9]/.test(text) && !/^\s*[<{]|=>/.test(text);
}
