import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import type { OwnCredentials } from '../../manifest/check/own-credentials.ts';
import type { StackFile } from '../../manifest/stack-file/stack-file.ts';
import { declaredVariables, typeOf } from '../../manifest/stack-file/variables-schema.ts';
import {
  declaredHint,
  makeVariables,
  variableOf,
  type Variable,
  type Variables,
} from '../../manifest/variables/variables.ts';
import type { Written } from '../../manifest/read/written.ts';
import type { StackContext } from '../stack-context.ts';
import { isExactNumber, parsedJson } from '../../model/json-object.ts';

/** The variables of a stack: as `sluice.yaml` has them, or as `SLUICE_VAR_NAME` or the flag `--var` sets them. */
export function stackVariables(
  { settings, placeOf }: Pick<StackFile, 'settings' | 'placeOf'>,
  { flags, io }: { readonly flags: Pick<StackContext['flags'], 'var'>; readonly io: Pick<StackContext['io'], 'env'> },
  credentials: OwnCredentials,
): Variables {
  const declared = new Map(declaredVariables(settings.vars));
  const problems: Diagnostic[] = [];
  for (const [name, { type, value }] of declared)
    if (value !== undefined && typeOf(value) !== type) problems.push(notOfType(name, `\`vars.${name}\``, type));
  for (const name of declared.keys()) {
    const text = io.env[variableOf(name)];
    if (text !== undefined && text !== '') set(name, text, variableOf(name));
  }
  for (const assignment of flags.var ?? []) {
    const [, name = '', text = ''] = /^([^=]*)=([^]*)$/.exec(assignment) ?? [];
    if (declared.has(name)) set(name, text, `--var ${name}`);
    else problems.push(unknown(name, declared));
  }
  const variables = makeVariables(declared, credentials);
  for (const name of declared.keys()) {
    const found = variables({ var: name });
    if (found === undefined || !('complaint' in found)) continue;
    const { code, message, hint } = found.complaint();
    if (code !== 'VARIABLE_NOT_SET')
      problems.push({
        code,
        severity: 'error',
        message: `\`vars.${name}\`: ${message}`,
        place: placeOf(['vars', name]),
        ...(hint === undefined ? {} : { hint }),
      });
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return variables;

  function set(name: string, text: string, by: string): void {
    const { type } = declared.get(name) ?? { type: 'string' };
    const value = valueOf(text, type);
    if (value === undefined) problems.push(notOfType(name, by, type));
    else declared.set(name, { type, value });
  }

  function notOfType(name: string, by: string, type: Variable['type']): Diagnostic {
    return {
      code: 'INVALID_VARIABLE',
      severity: 'error',
      message: `${by} must be ${types[type].words}, the type of the variable \`${name}\``,
      place: placeOf(['vars', name]),
      hint: `write ${types[type].example}`,
    };
  }
}

const types = {
  string: { words: 'a string', example: 'a string, in quotes in YAML' },
  number: { words: 'a number', example: 'a number such as 3' },
  boolean: { words: 'a boolean', example: 'true or false' },
  list: { words: 'a list', example: 'a list such as ["a", "b"]' },
} as const;

/** A text of the command line or the environment as a value of a type. */
function valueOf(text: string, type: Variable['type']): Written | undefined {
  if (type === 'string') return text;
  const value = parsedJson(text);
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object' && isExact(item));
  return (type === 'list' ? isList : typeof value === type && isExact(value)) ? (value as Written) : undefined;
}

function isExact(value: unknown): boolean {
  return typeof value !== 'number' || isExactNumber(value);
}

function unknown(name: string, declared: ReadonlyMap<string, Variable>): Diagnostic {
  return {
    code: 'UNKNOWN_VARIABLE',
    severity: 'error',
    message: `--var: the variable ${quoted(name, 80)} is not declared under \`vars\` in sluice.yaml`,
    hint: declaredHint(name, declared, 'declare the variable in sluice.yaml'),
  };
}
