import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { limits } from './limits.ts';

/** The hint to the name that was probably meant, among so many of those in manifests. */
export function nearName(written: string, names: Iterable<string>): string | undefined {
  return didYouMean(written, [...names].slice(0, limits.candidates));
}

/** What to do about a reference to a name that no manifest defines: it may be misspelled, or its resource was removed. */
export function referenceHint(name: string, known: Iterable<string>): string {
  const hint = nearName(name, known);
  return hint === undefined
    ? 'add a manifest for the resource, or remove the reference'
    : `${hint} If the manifest of the resource was removed, remove the reference as well`;
}
