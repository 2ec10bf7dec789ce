import { hideDigests, holdsDigest } from '../../derive/external/hidden-values.ts';
import type { Entry, State } from '../../model/state.ts';

/** State as far as a snapshot has it: nothing in it verifies a secret or a value from outside. */
export function hideState(state: State, digest: (text: string) => string): State {
  // A hash of the manifests would verify the secrets in them.
  const { externalValues: _, applied: _applied, ...rest } = hideDigests(state, digest);
  const entries = Object.entries(rest.entries).map(([address, entry]) => [address, withoutVerifiers(entry)] as const);
  return { ...rest, entries: Object.fromEntries(entries) };
}

/** Digests of texts as they were sent and shown remain only where the text itself is in the snapshot. */
function withoutVerifiers({ returnedSecrets: _, rewrittenTexts, ...entry }: Entry): Entry {
  if (rewrittenTexts === undefined) return entry;
  const plain = Object.entries(rewrittenTexts).filter(
    ([pointer]) => !holdsDigest(entry.spec[pointer.split('/')[1] ?? '']),
  );
  return { ...entry, rewrittenTexts: Object.fromEntries(plain) };
}
