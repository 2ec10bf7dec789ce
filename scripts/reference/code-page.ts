import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { codes, type Code } from '../../src/diagnostics/codes.ts';
import { code, page, table } from './markdown.ts';
import { remedies } from '../../src/diagnostics/remedies.ts';
import { blockedMeanings } from '../../src/model/plan/blocked-meanings.ts';

/** Every code that a diagnostic or an error has, with what to do. */
export function codePage(): string {
  const diagnostics = (Object.keys(codes) as Code[]).sort().map((name) => [code(name), codes[name], remedies[name]]);
  const blocked = Object.entries(blockedMeanings)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { meaning, remedy }]) => [code(name), meaning, remedy]);
  const failures = [...errors()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, [, message, hint]]) => [code(name), message, hint]);
  return page(
    'Codes',
    'Codes are stable: search for them, and let programs decide by them. The codes of hazards are in [Plans](../plans.md#hazards).',
    `## Diagnostics\n\nProblems of manifests, settings and the account. All are reported at once, with the line.\n\n${table(['Code', 'Meaning', 'What to do'], diagnostics)}`,
    `## Blocked changes\n\nWhy \`apply\` refuses a change of a plan.\n\n${table(['Code', 'Meaning', 'What to do'], blocked)}`,
    `## Errors\n\nWhat ends a command. \`…\` stands for what the message fills in.\n\n${table(['Code', 'Message', 'What to do'], failures)}`,
  );
}

/** The errors that the sources throw: by code, the first message and hint. */
function errors(): ReadonlyMap<string, readonly [string, string, string]> {
  const found = new Map<string, readonly [string, string, string]>();
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const file of files.sort()) {
    const path = join('src', file);
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return found;

  function visit(node: ts.Node): void {
    if (ts.isNewExpression(node)) {
      const [name, message, ...rest] = node.arguments ?? [];
      if (
        name !== undefined &&
        ts.isStringLiteral(name) &&
        /^[A-Z]+(_[A-Z]+)+$/.test(name.text) &&
        message !== undefined
      ) {
        const text = textOf(message);
        if (text !== undefined && !found.has(name.text)) found.set(name.text, [name.text, text, hintIn(rest)]);
      }
    }
    ts.forEachChild(node, visit);
  }
}

function hintIn(rest: readonly ts.Expression[]): string {
  for (const one of rest) {
    if (!ts.isObjectLiteralExpression(one)) {
      const text = textOf(one);
      if (text !== undefined) return text;
      continue;
    }
    for (const property of one.properties)
      if (ts.isPropertyAssignment(property) && property.name.getText() === 'hint')
        return textOf(property.initializer) ?? '';
  }
  return '';
}

/** A text, with `…` for what is filled in. */
function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}
