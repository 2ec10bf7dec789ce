/*
 * What the operator of a stack requires, in a file outside its repository. Whoever can commit to the repository cannot
 * loosen it: its rules are checked beside those of `sluice.yaml`, exceptions of `sluice.yaml` do not apply to them, and
 * no flag allows what they forbid. A file that is named but cannot be read ends every command of the stack.
 */
import { resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { readSafely } from '../../files/safe-file.ts';
import { locate } from '../../manifest/read/locate.ts';
import { parseDocuments } from '../../manifest/read/parse-documents.ts';
import { SourceFile, type SourceDocument } from '../../manifest/read/source-document.ts';
import { parseTree } from '../../manifest/read/yaml-tree.ts';
import { accessProblems } from '../../manifest/stack-file/access-problems.ts';
import { declaredRules } from '../../manifest/stack-file/declared-rules.ts';
import { operatorPolicySchema } from '../../manifest/stack-file/operator-policy-schema.ts';
import type { Path } from '../../kinds/value.ts';
import type { AccessRules } from '../../model/access-rules.ts';
import type { StackContext } from '../stack-context.ts';

/** The variable that names the file; the flag is `--operator-policy`. */
const variable = 'SLUICE_OPERATOR_POLICY';

/** The access rules of the operator; undefined where no file is named. */
export function readOperatorPolicy({ io, flags }: StackContext): AccessRules | undefined {
  const name = flags.operatorPolicy ?? io.env[variable];
  if (name === undefined || name === '') return undefined;
  const read = readSafely(resolve(io.cwd, name));
  if ('code' in read) throw new InvalidInput([problem(name, 1, `the operator's policy ${read.message}`, read.code)]);
  const file = new SourceFile(name, read.text);
  const [first, second] = parseDocuments(file);
  const document: SourceDocument = first?.document ?? { file, start: 0, end: 0, starts: new WeakMap() };
  const lineAt = (path: Path): number => {
    const tree = parseTree(document);
    return tree === undefined ? 1 : file.spot(document.start + locate(tree, path)[0]).line;
  };
  const syntax = (first?.problems ?? []).map(({ message, range }) =>
    problem(name, file.spot(range[0]).line, message, 'SYNTAX_ERROR'),
  );
  if (second !== undefined) syntax.push(problem(name, 1, "the operator's policy must contain exactly one document"));
  if (syntax.length > 0) throw new InvalidInput(syntax);
  const parsed = operatorPolicySchema.safeParse(first?.value ?? {});
  const wrong = parsed.success
    ? accessProblems(parsed.data.access).map(({ path, message }) => problem(name, lineAt(['access', ...path]), message))
    : parsed.error.issues.map((issue) => {
        const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
        const said = /^must /.test(issue.message) ? issue.message : 'has an invalid value';
        const unknown = issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : undefined;
        const message = unknown === undefined ? `\`${fieldPath('', path)}\` ${said}` : `unknown field ${unknown}`;
        return problem(name, lineAt(path), message);
      });
  if (wrong.length > 0 || !parsed.success) throw new InvalidInput(wrong);
  return declaredRules(parsed.data.access, 'operator');
}

function problem(
  file: string,
  line: number,
  message: string,
  code: Diagnostic['code'] = 'INVALID_SETTING',
): Diagnostic {
  return { code, severity: 'error', message, place: { file, line, col: 1 } };
}
