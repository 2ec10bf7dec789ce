import * as z from 'zod';
import type { AccountData } from '../account/account.ts';
import { isSpecObject, type SpecObject } from '../../kinds/value.ts';

const object = z.custom<SpecObject>(isSpecObject);

const account: z.ZodType<AccountData> = z.object({
  format: z.literal(1),
  drawn: z.int().min(0),
  created: z.int().min(0),
  resources: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      parent: z.string().exactOptional(),
      seq: z.int(),
      created_at: z.string(),
      spec: object,
      own: object,
    }),
  ),
  keys: z.record(z.string(), z.string()),
  notes: z.record(z.string(), z.string()),
});

/** The account that a value from outside is; undefined when it is none. */
export function accountIn(value: unknown): AccountData | undefined {
  return account.safeParse(value).data;
}
