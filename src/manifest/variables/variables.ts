/*
 * What variables of a stack stand for. A value that comes from the environment or a file stays where it is, as
 * `{from_env: NAME}` or `{from_file: PATH}`: it is read, checked and masked like one that the manifest names.
 */
import { counted } from '../../diagnostics/counted.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { credentialInText, type OwnCredentials } from '../check/own-credentials.ts';
import type { ManifestProblem } from '../check/problems.ts';
import { limits } from '../read/limits.ts';
import { originIn } from '../read/value-source.ts';
import type { Written } from '../read/written.ts';
import { templateParts, type TemplatePart, templateIn, variableIn } from './template.ts';

/** The types of variables. */
export const variableTypes = ['string', 'number', 'boolean', 'list'] as const;

/** A declared variable; without a value, it has to be set before it is used. */
export interface Variable {
  readonly type: (typeof variableTypes)[number];
  readonly value?: Written;
}

/** What a variable or a template stands for, or why it stands for nothing. */
export type FoundValue = { readonly value: Written } | { readonly complaint: () => ManifestProblem };

/** What `{var: NAME}` or `{template: TEXT}` stands for with the variables of a stack; undefined for anything else. */
export type Variables = (written: Written) => FoundValue | undefined;

/** Finds what the variables of a stack stand for. None of them may contain a credential of sluice itself. */
export function makeVariables(declared: ReadonlyMap<string, Variable>, credentials: OwnCredentials): Variables {
  const known = new Map<string, FoundValue>();
  return (written) => find(written, []);

  function find(written: Written, open: readonly string[]): FoundValue | undefined {
    const name = variableIn(written);
    if (name !== undefined) return variable(name, open);
    const template = templateIn(written);
    return template === undefined ? undefined : filled(template, open);
  }

  /** Each is resolved once, so that variables made of variables take no longer than they are long. */
  function variable(name: string, open: readonly string[]): FoundValue {
    const found = known.get(name) ?? resolved(name, open);
    known.set(name, found);
    return found;
  }

  function resolved(name: string, open: readonly string[]): FoundValue {
    const shown = safeText(name, 80);
    const { value } = declared.get(name) ?? {};
    if (!declared.has(name))
      return {
        // To look for the name that was meant takes long.
        complaint: () => ({
          code: 'UNKNOWN_VARIABLE',
          message: `the variable \`${shown}\` is not declared`,
          hint: declaredHint(name, declared, 'declare the variable under `vars` in sluice.yaml'),
        }),
      };
    if (value === undefined) return wrong('VARIABLE_NOT_SET', `the variable \`${shown}\` has no value`, howToSet(name));
    if (open.includes(name))
      return wrong(
        'VARIABLE_CYCLE',
        `the variable \`${shown}\` refers to itself: ${[...open.slice(open.indexOf(name)), name].join(' -> ')}`,
        'give one of these variables a literal value',
      );
    return find(value, [...open, name]) ?? checked(value);
  }

  function filled(template: string, open: readonly string[]): FoundValue {
    const read = templateParts(template);
    if (!('parts' in read)) return wrong('INVALID_TEMPLATE', read.message, read.hint);
    let text = '';
    for (const part of read.parts) {
      const found = typeof part === 'string' ? { value: part } : variable(part.variable, open);
      if ('complaint' in found) return found;
      const { value } = found;
      if (typeof value === 'object')
        return wrong(
          'INVALID_TEMPLATE',
          `the variable \`${nameOf(part)}\` is ${originIn(value) === undefined ? 'a list' : 'read from the environment or a file'}, and cannot be part of a string`,
          `write {var: ${nameOf(part)}} as the whole value of the field, without a string around it`,
        );
      text += String(value);
      if (text.length > limits.templateText)
        return wrong(
          'TOO_LARGE',
          `the template expands to more than ${counted(limits.templateText, 'character')}`,
          'use shorter variables',
        );
    }
    return checked(text);
  }

  function checked(value: Written): FoundValue {
    const texts = Array.isArray(value) ? (value as readonly Written[]) : [value];
    const complaint = texts
      .map((text) => (typeof text === 'string' ? credentialInText(text, credentials) : undefined))
      .find((one) => one !== undefined);
    return complaint === undefined ? { value } : { complaint: () => complaint };
  }
}

function wrong(code: ManifestProblem['code'], message: string, hint: string): FoundValue {
  return { complaint: () => ({ code, message, hint }) };
}

/** What to write in place of a variable that is not declared. */
export function declaredHint(name: string, declared: ReadonlyMap<string, Variable>, withoutAny: string): string {
  const near = didYouMean(name, declared.keys());
  if (near !== undefined) return near;
  return declared.size === 0 ? withoutAny : `declared variables: ${[...declared.keys()].slice(0, 20).join(', ')}`;
}

function howToSet(name: string): string {
  return `set the variable under \`vars\` in sluice.yaml, with \`--var ${name}=VALUE\`, or in ${variableOf(name)}`;
}

function nameOf(part: TemplatePart): string {
  return safeText(typeof part === 'string' ? part : part.variable, 80);
}

/** The environment variable that sets a variable. */
export function variableOf(name: string): string {
  return `SLUICE_VAR_${name.toUpperCase()}`;
}
