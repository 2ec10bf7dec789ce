import * as z from 'zod';
import type { Leaf } from './kind.ts';

/** Whether a value identifies something, decides what a change means, or is named in messages: ids, words of a closed list, times, and fields that its kind names. */
export function isIdentifying({ identifies, ref, compare, schema }: Leaf): boolean {
  return identifies === true || ref !== undefined || compare === 'instant' || schema instanceof z.ZodEnum;
}

/** Whether a field takes text of whatever form, and not a number or a flag. */
export function isText({ schema }: Leaf): boolean {
  return schema.safeParse('text').error?.issues[0]?.code !== 'invalid_type';
}
