import type { Duplicate } from '../../model/outcome.ts';

/** A duplicate, and what to do. */
export function duplicateText({ id, others }: Duplicate): string {
  return `this run created ${id}, and another run created ${others.join(', ')} with the same ownership marker at the same time; run \`sluice plan --keep-oldest\` to see which would be deleted, and do not apply two copies of a stack at once`;
}
