import { counted } from '../../diagnostics/counted.ts';
import type { UnresolvedCreation } from '../../model/unresolved.ts';
import { howToResolve } from '../../plan/how-to-resolve.ts';

/** How many creations of earlier runs only a person can resolve: the first part of a summary. */
export function unresolvedCount(count: number): string {
  return count === 0 ? '' : counted(count, 'unresolved creation');
}

/** What is wrong with one of them, and what to do. */
export function unresolvedText({ address }: UnresolvedCreation): string {
  return `an earlier run sent its creation, the answer was lost, and no request can find out whether it exists; ${howToResolve(address)}`;
}
