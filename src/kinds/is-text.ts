import type { Leaf } from './kind.ts';

/** Whether a field takes text of whatever form, and not a number or a flag. */
export function isText({ schema }: Leaf): boolean {
  return schema.safeParse('text').error?.issues[0]?.code !== 'invalid_type';
}
