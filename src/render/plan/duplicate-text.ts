import type { Duplicate } from '../../model/outcome.ts';

/** A duplicate, and what to do. */
export function duplicateText({ id, otherIds }: Duplicate): string {
  return `this run created ${id}, and another run created ${otherIds.join(', ')} with the same ownership marker at the same time; run \`sluice plan --keep-oldest\` to see which would be deleted, and do not apply two copies of a stack at once`;
}
