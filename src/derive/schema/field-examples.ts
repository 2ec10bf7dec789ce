import * as z from 'zod';
import { isUnset } from '../../kinds/checks.ts';
import type { Field, Group, Leaf } from '../../kinds/kind.ts';
import type { SpecObject, SpecValue } from '../../kinds/value.ts';
import { formatExamples } from './format-examples.ts';

/** What may be written for a field, as in a manifest: a reference for an id, a variable for a secret. */
export function examplesOf(field: Field, name: string): readonly SpecValue[] {
  if (field.is === 'leaf') return leafExamples(field, name);
  if (field.is === 'list') return examplesOf(field.of, name).map((one) => [one]);
  if (field.is === 'dict') {
    const [[key], [value]] = [leafExamples(field.key, name), leafExamples(field.of, name)];
    return typeof key !== 'string' || value === undefined ? [] : [{ [key]: value }];
  }
  return groupExamples(field);
}

function leafExamples({ secret, ref, examples, schema, format, default: usual }: Leaf, name: string): SpecValue[] {
  if (secret === true) return [{ from_env: name.toUpperCase() }];
  if (ref !== undefined) return [{ ref: `my-${ref.to.replace(/(?<=[a-z])(?=[A-Z])|_/g, '-').toLowerCase()}` }];
  if (examples !== undefined) return [...examples];
  if (schema instanceof z.ZodEnum) return [...(schema.options as string[])];
  if (schema.safeParse(true).success) return [usual !== true];
  const text = format === undefined ? undefined : formatExamples[format];
  return text === undefined ? (isUnset(usual) || usual === undefined ? [] : [usual]) : [text];
}

/** What must be written; where nothing must, the first field that may be written alone. */
function groupExamples({ fields, rules }: Group): SpecObject[] {
  const known = Object.entries(fields).flatMap(([name, field]) => {
    const [example] = field.lifecycle === 'computed' ? [] : examplesOf(field, name);
    return example === undefined ? [] : [{ spec: { [name]: example }, isNeeded: field.required !== undefined }];
  });
  const needed = Object.assign({}, ...known.flatMap(({ spec, isNeeded }) => (isNeeded ? [spec] : []))) as SpecObject;
  const specs = [needed, ...known.map(({ spec }): SpecObject => ({ ...needed, ...spec }))];
  const right = specs.filter((spec) => rules.every(({ check }) => check(spec).length === 0));
  return [right.find((spec) => Object.keys(spec).some((name) => name !== 'enabled')) ?? right[0] ?? {}];
}
