import { counted } from '../../../diagnostics/counted.ts';
import type { UnresolvedCreation } from '../../../model/unresolved.ts';
import { howToResolve } from '../../../plan/warnings/how-to-resolve.ts';

/** The number of unresolved creations of earlier runs: the first part of a summary. */
export function unresolvedCount(count: number): string {
  return count === 0 ? '' : counted(count, 'unresolved creation');
}

/** One unresolved creation, and what to do. */
export function unresolvedText({ address }: UnresolvedCreation): string {
  return `an earlier run sent the create request, but its response was lost, and sluice cannot check whether the resource exists; ${howToResolve(address)}`;
}
