import { counted } from '../../diagnostics/counted.ts';
import { present } from '../../model/present.ts';
import type { UnresolvedCreation } from '../../model/unresolved.ts';
import { howToResolve } from '../../plan/warnings/how-to-resolve.ts';
import { omitted, type Section } from '../text/fit.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';
import type { PlanJson } from './plan-json-schema.ts';

/** The number of unresolved creations of earlier runs: the first part of a summary. */
export function unresolvedCount(count: number): string {
  return count === 0 ? '' : counted(count, 'unresolved creation');
}

/** One unresolved creation, and what to do. */
export function unresolvedText({ address }: UnresolvedCreation): string {
  return `an earlier run sent the create request, but its response was lost, and sluice cannot check whether the resource exists; ${howToResolve(address)}`;
}

/** Creations of earlier runs that only a person can resolve, for a comment. */
export function unresolvedMarkdown(unresolved: readonly UnresolvedCreation[]): Section {
  return {
    pieces: unresolved.map(
      (one) => `**Unresolved creation** ${markdownCode(one.address)}: ${markdownText(unresolvedText(one))}\n\n`,
    ),
    foot: '',
    omission: (left) => `${omitted(left, 'unresolved creation')}.`,
  };
}

/** The same as values for JSON. */
export function unresolvedJson(unresolved: readonly UnresolvedCreation[]): PlanJson['unresolved_creations'] {
  return unresolved.map(({ address, kind, parent }) => present({ address, type: kind, parent }));
}
