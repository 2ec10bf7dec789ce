import type { Duplicate } from '../../model/outcome.ts';

/** What exists twice, and what to do. */
export function duplicateText({ id, others }: Duplicate): string {
  return `this run created ${id}, and ${others.join(', ')} with the same ownership marker was created elsewhere at the same time; do not apply two copies of a stack at once; \`sluice plan --keep-oldest\` shows what would be deleted`;
}
