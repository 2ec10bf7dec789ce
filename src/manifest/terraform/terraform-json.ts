import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { limits } from '../read/limits.ts';
import { resourceInstance, type TerraformResource, keyedValues } from './terraform-resource.ts';

/** What is read of one file at most. */
export const terraformFileBytes = 64_000_000;

const mostResources = 50_000;

/** The managed resources in what `terraform show -json` prints of a state or a plan, in the order of the file. Anyone may have written it: everything in it is checked. */
export function terraformResources(text: string, file: string): TerraformResource[] {
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const problem = jsonProblem(whole);
  if (problem !== undefined) throw refused(file, problem.code, problem.message, whole.slice(0, problem.offset));
  const root = keyedValues(JSON.parse(whole));
  const values = keyedValues(root?.['values'] ?? root?.['planned_values']);
  const version = root?.['format_version'];
  if (root === undefined || typeof version !== 'string')
    throw refused(
      file,
      'INVALID_VALUE',
      root?.['version'] === 4
        ? 'the file is a Terraform state, not its JSON representation'
        : 'the file is not the output of terraform show -json',
    );
  if (!/^[01]\./.test(version))
    throw refused(file, 'INVALID_VALUE', `format_version ${quoted(version, 40)} is not supported`);
  const found: TerraformResource[] = [];
  const modules = [values?.['root_module']];
  for (let module = keyedValues(modules.pop()); module !== undefined; module = keyedValues(modules.pop())) {
    found.push(...listIn(module['resources']).flatMap((one) => resourceInstance(keyedValues(one)) ?? []));
    modules.push(...listIn(module['child_modules']).toReversed());
    if (found.length > mostResources)
      throw refused(file, 'TOO_LARGE', `the file has more than ${String(mostResources)} resources`);
  }
  return found;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function refused(file: string, code: Diagnostic['code'], message: string, before = ''): InvalidInput {
  const lines = before.split('\n');
  const place = { file, line: lines.length, col: (lines.at(-1)?.length ?? 0) + 1 };
  const hint = 'pass the output of `terraform show -json` (state or saved plan)';
  return new InvalidInput([{ code, severity: 'error', message, hint, place }]);
}

/** What is wrong with a JSON text, and at which offset. */
interface JsonProblem {
  readonly code: 'SYNTAX_ERROR' | 'TOO_DEEP';
  readonly message: string;
  readonly offset: number;
}

const token =
  /[ \t\r\n]*(?:([{}[\],:])|(")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))/y;

// Of a string; one pattern for the whole of it would run out of memory for a string of megabytes.
const piece = /[^"\\\p{Cc}]{1,1000}|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/uy;

/** The offset after a string that begins before the given one; undefined where it is not valid. */
function endOfString(text: string, from: number): number | undefined {
  for (piece.lastIndex = from; text[piece.lastIndex] !== '"';) if (!piece.test(text)) return undefined;
  return piece.lastIndex + 1;
}

/** The first problem of a text that should be JSON. The parser of the platform repeats the text in its messages, which may contain secrets; this never does. */
function jsonProblem(text: string): JsonProblem | undefined {
  const open: string[] = [];
  // What may come next: a value, a key, a colon, or a comma; the first item or key may also be the end.
  let next: 'value' | 'key' | 'colon' | 'comma' = 'value';
  let isFirst = false;
  for (token.lastIndex = 0; ;) {
    const start = token.lastIndex;
    const [whole, mark, string] = token.exec(text) ?? [];
    const end = string === undefined ? token.lastIndex : endOfString(text, token.lastIndex);
    if (whole === undefined || end === undefined) return atEnd(text, start, open.length === 0 && next === 'comma');
    const wrong = {
      code: 'SYNTAX_ERROR',
      message: 'not valid JSON',
      offset: token.lastIndex - whole.trim().length,
    } as const;
    token.lastIndex = end;
    const isClose = mark === '}' || mark === ']';
    if (isClose) {
      if (open.pop() !== (mark === '}' ? '{' : '[') || !(next === 'comma' || isFirst)) return wrong;
      next = 'comma';
    } else if (open.length === 0 && next === 'comma') return wrong;
    else if (mark === ':' || mark === ',') {
      if (next !== (mark === ':' ? 'colon' : 'comma')) return wrong;
      next = mark === ',' && open.at(-1) === '{' ? 'key' : 'value';
    } else if (next === 'key') {
      if (string === undefined) return wrong;
      next = 'colon';
    } else if (next !== 'value') return wrong;
    else if (mark === undefined) next = 'comma';
    else {
      open.push(mark);
      next = mark === '{' ? 'key' : 'value';
      if (open.length > limits.depth * 4)
        return {
          ...wrong,
          code: 'TOO_DEEP',
          message: `the JSON text is nested more than ${String(limits.depth * 4)} levels deep`,
        };
    }
    isFirst = mark === '{' || mark === '[';
  }
}

function atEnd(text: string, start: number, isWhole: boolean): JsonProblem | undefined {
  const rest = /[^ \t\r\n]/.exec(text.slice(start));
  if (rest === null && isWhole) return undefined;
  const offset = rest === null ? text.length : start + rest.index;
  return { code: 'SYNTAX_ERROR', message: rest === null ? 'the JSON text ends too early' : 'not valid JSON', offset };
}
