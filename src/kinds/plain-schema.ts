import * as z from 'zod';

/** Any text. Most fields share this schema, or one of the next two, so that they are made, and recognised, once. */
export const anyText = z.string();

/** Text that is not empty. */
export const someText = z.string().min(1);

/** True or false. */
export const anyFlag = z.boolean();

/** Whether a value is what a schema takes, as it is. Of the schemas that most fields have, zod need not be asked: a plan asks some 100,000 times. */
export function takesAsItIs(schema: z.ZodType, value: unknown): value is string | boolean {
  if (schema === anyText) return typeof value === 'string';
  if (schema === someText) return typeof value === 'string' && value !== '';
  return schema === anyFlag && typeof value === 'boolean';
}
