import type { DeletionLimit } from '../../model/stack.ts';

/** A limit of deletions as written: a number, or a percentage such as 25%. */
export function deletionLimitOf(written: number | string): DeletionLimit {
  return typeof written === 'number' ? { count: written } : { percent: Number(written.replace('%', '')) };
}
