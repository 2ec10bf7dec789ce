import { nearName } from '../read/near-name.ts';

/** What to do about a reference to a name that no manifest defines: it may be misspelled, or its resource was removed. */
export function referenceHint(name: string, known: Iterable<string>): string {
  const hint = nearName(name, known);
  return hint === undefined
    ? 'add a manifest for the resource, or remove the reference'
    : `${hint} If the manifest of the resource was removed, remove the reference as well`;
}
