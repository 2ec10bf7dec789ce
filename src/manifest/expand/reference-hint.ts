import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { limits } from '../read/limits.ts';

/** What to do about a reference to a name that no manifest defines: it may be misspelled, or its resource was removed. */
export function referenceHint(name: string, known: Iterable<string>): string {
  const hint = didYouMean(name, [...known].slice(0, limits.candidates));
  return hint === undefined
    ? 'define it in a manifest, or remove the reference'
    : `${hint} If its manifest was removed, remove the reference as well`;
}
