import type * as z from 'zod';

/** A setting with what it is for, and values that people may write. */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  const described = schema.describe(description);
  return examples.length === 0 ? described : described.meta({ examples: [...examples] });
}
