import * as z from 'zod';
import { isSpecObject, type SpecObject } from '../../kinds/value.ts';

const object = z.custom<SpecObject>(isSpecObject);

const accountData = z.object({
  format: z.literal(1),
  /** Ids and resources drawn so far. */
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
  /** Signing keys made on first use, PEM by the id of their authority. */
  keys: z.record(z.string(), z.string()),
  /** Data stored by behaviours, by their own keys. */
  notes: z.record(z.string(), z.string()),
});

/** A whole account as a value that JSON can hold. */
export type AccountData = z.infer<typeof accountData>;

/** The account that a value from outside is; undefined when it is none. */
export function accountIn(value: unknown): AccountData | undefined {
  return accountData.safeParse(value).data;
}
