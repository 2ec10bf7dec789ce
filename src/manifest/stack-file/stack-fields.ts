import * as z from 'zod';
import type { Path } from '../../kinds/value.ts';
import { stackSchema } from './stack-schema.ts';

/** The fields that are allowed at a path of a stack file. */
export function fieldsAt(path: Path): string[] {
  return shapesAt(stackSchema, path).flatMap((shape) => (shape instanceof z.ZodObject ? Object.keys(shape.shape) : []));
}

/** Whether the value at a path of a stack file may be shown: known settings, but nothing of the key, of addresses, or of a patch's values. */
export function isKnownSetting(path: Path): boolean {
  if (path[0] === 'api' && ['key', 'base_url', 'proxy'].includes(String(path[1]))) return false;
  if (path[0] === 'state' && path[2] === 'url') return false;
  if (path[0] === 'patches' && path.includes('value')) return false;
  return shapesAt(stackSchema, path).some((shape) => !(shape instanceof z.ZodObject) && !(shape instanceof z.ZodArray));
}

/** Every key that a stack file can have. */
export function settingWords(): ReadonlySet<string> {
  const words = new Set<string>();
  collect(stackSchema);
  return words;

  function collect(schema: z.core.$ZodType): void {
    for (const shape of shapesAt(schema, [])) {
      if (shape instanceof z.ZodArray) collect(shape.element);
      if (!(shape instanceof z.ZodObject)) continue;
      const fields: Readonly<Record<string, z.core.$ZodType>> = shape.shape;
      for (const [name, field] of Object.entries(fields)) {
        words.add(name);
        collect(field);
      }
    }
  }
}

/** Every schema that may describe the value at a path. */
function shapesAt(schema: z.core.$ZodType, [step, ...rest]: Path): z.core.$ZodType[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return shapesAt(schema.unwrap(), step === undefined ? [] : [step, ...rest]);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => shapesAt(option, step === undefined ? [] : [step, ...rest]));
  if (step === undefined) return [schema];
  if (schema instanceof z.ZodArray) return typeof step === 'number' ? shapesAt(schema.element, rest) : [];
  if (schema instanceof z.ZodRecord) return shapesAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape = schema.shape as Readonly<Record<string, z.core.$ZodType>>;
  const field = Object.hasOwn(shape, step) ? shape[step] : undefined;
  return field === undefined ? [] : shapesAt(field, rest);
}
