import type { UnresolvedCreation } from '../../../model/unresolved.ts';
import type { Section } from '../../text/fit.ts';
import { markdownCode, markdownText } from '../../text/markdown-text.ts';
import { unresolvedText } from './unresolved-text.ts';

/** Creations of earlier runs that only a person can resolve, for a comment. */
export function unresolvedMarkdown(unresolved: readonly UnresolvedCreation[]): Section {
  return {
    head: '',
    pieces: unresolved.map(
      (one) => `**Unresolved creation** ${markdownCode(one.address)}: ${markdownText(unresolvedText(one))}\n\n`,
    ),
    foot: '',
  };
}
