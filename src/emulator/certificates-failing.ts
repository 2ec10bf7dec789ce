import * as z from 'zod';

/** Which certificates fail, and how, as it is told from outside the process; null: they are fine again. */
export const certificateFailure = z
  .strictObject({ domain: z.string(), failure: z.enum(['INTERNAL_ERROR', 'DNS_ERROR']).nullable() })
  .transform(({ domain, failure }) => [domain, failure ?? undefined] as const);
