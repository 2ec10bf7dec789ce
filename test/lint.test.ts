import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { directory } from './cli/terminal.ts';

// `npm run check` has no other check of types.
test('lint reports what tsc would, what a rule learns from types, and comments that allow what is not there', async () => {
  const found = await lint({
    'wrong.ts': `export const port: number = '443';
export const name = (host: string) => host.nothing;
`,
    'careless.ts': `const read = async (): Promise<string> => await Promise.resolve('');
read();
// oxlint-disable-next-line eqeqeq
export const isEmpty = (text: string): boolean => text === '';
`,
  });
  expect(found).toMatchInlineSnapshot(`
    [
      "careless.ts:2:1: Promises must be awaited, add void operator to ignore. [Error/typescript(no-floating-promises)]",
      "careless.ts:3:1: Unused oxlint-disable directive (no problems were reported). [Error]",
      "wrong.ts:1:14: Type 'string' is not assignable to type 'number'. [Error/typescript(TS2322)]",
      "wrong.ts:2:39: Unsafe return of a value of type error. [Error/typescript(no-unsafe-return)]",
      "wrong.ts:2:44: Property 'nothing' does not exist on type 'string'. [Error/typescript(TS2339)]",
    ]
  `);
});

test('lint reports what is wrong with the project', async () => {
  const found = await lint({ 'right.ts': `export const port = 443;\n` }, { types: ['absent'] });
  expect(found).toMatchInlineSnapshot(`
    [
      "tsconfig.json:0:0:  [Warning/typescript(tsconfig-error)]",
    ]
  `);
});

/** What oxlint finds in these files with our rules, sorted. */
async function lint(files: Readonly<Record<string, string>>, options: object = {}): Promise<readonly string[]> {
  const compilerOptions = { module: 'NodeNext', noEmit: true, strict: true, target: 'ES2023', types: [], ...options };
  const dir = await directory({ 'tsconfig.json': JSON.stringify({ compilerOptions }), ...files });
  const args = [resolve('node_modules/oxlint/bin/oxlint'), '--config', resolve('.oxlintrc.json'), '--format=unix'];
  // It looks for the part that knows types in the directory it runs in.
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: resolve('node_modules/.bin/tsgolint') };
  const out = await new Promise<string>((done, failed) => {
    execFile(process.execPath, args, { cwd: dir, env }, (error, stdout) => {
      if (error?.code === 1) done(stdout);
      else failed(error ?? new Error('oxlint found nothing'));
    });
  });
  return out
    .split('\n')
    .filter((line) => /^\S+:\d+:\d+: /.test(line))
    .sort();
}
