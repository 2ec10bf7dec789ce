import * as z from 'zod';
import { durationPattern, secondsIn } from '../../derive/duration.ts';

/** The environment variable that contains a credential. Whoever edits a stack file must not be able to name any variable of a pipeline; those with VAR are not secret. */
export const credentialSource = z.strictObject({
  from_env: z
    .string()
    .regex(
      /^SLUICE_(?!VAR_)[A-Z0-9_]+$/,
      'must be the name of an environment variable that begins with SLUICE_ but not with SLUICE_VAR_, such as SLUICE_API_KEY',
    )
    .meta({
      description: 'Name of the environment variable; must begin with SLUICE_.',
      examples: ['SLUICE_API_KEY', 'SLUICE_WEBHOOK_URL'],
    }),
});

/** A duration, such as 30s or 5m. */
export const durationSetting = z
  .string()
  .regex(new RegExp(durationPattern), { error: 'must be a duration, such as 30s or 5m', abort: true })
  .refine((written) => secondsIn(written) !== undefined, 'must be a duration of at most 100 years');

/** Text of a URL, no longer than any that works: what is done with URLs takes quadratic time for some texts. */
export const urlText = z.string().max(2048, 'must be at most 2048 characters long');

/** A setting with what it is for, and values that people may write. */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  const described = schema.describe(description);
  return examples.length === 0 ? described : described.meta({ examples: [...examples] });
}
