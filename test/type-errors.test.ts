import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter, type Rule } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';
import { directory } from './cli/terminal.ts';

// `npm run check` has no other check of types.
const { typeErrors } = (await import(new URL('../scripts/type-errors.mjs', import.meta.url).href)) as {
  readonly typeErrors: Rule.RuleModule;
};

test('ESLint reports what tsc would: of a file at its place, and of the project in its first line', async () => {
  const dir = await directory();
  const text = "export const port: number = '443';\nexport const name = (host: string) => host.nothing;\n";
  const path = join(dir, 'wrong.ts');
  writeFileSync(path, text);
  const options = { types: [], strict: true, incremental: true };
  const program = ts.createProgram([path], options);
  const found = new Linter({ configType: 'flat', cwd: dir }).verify(
    text,
    {
      files: ['**/*.ts'],
      plugins: { types: { rules: { errors: typeErrors } } },
      languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
      rules: { 'types/errors': 'error' },
    },
    { filename: path },
  );
  expect(found.map(({ line, column, message }) => `${String(line)}:${String(column)} ${message}`))
    .toMatchInlineSnapshot(`
    [
      "1:1 TS5074: Option '--incremental' can only be specified using tsconfig, emitting to single file or when option '--tsBuildInfoFile' is specified.",
      "1:14 TS2322: Type 'string' is not assignable to type 'number'.",
      "2:44 TS2339: Property 'nothing' does not exist on type 'string'.",
    ]
  `);
});
