import { hideDigests, holdsDigest } from '../../derive/external/hidden-values.ts';
import type { Entry, State } from '../../model/state.ts';

/** State as far as a snapshot has it: nothing in it verifies a secret or a value from outside. */
export function hideState(state: State, digest: (text: string) => string): State {
  // A hash of the manifests would verify the secrets in them.
  const { entries, intents, lastAccess, externalValues: _, applied: _applied, ...rest } = state;
  return {
    ...rest,
    entries: Object.fromEntries(
      Object.entries(hideDigests(entries, digest)).map(([address, entry]) => [address, withoutVerifiers(entry)]),
    ),
    ...(intents === undefined ? {} : { intents: hideDigests(intents, digest) }),
    ...(lastAccess === undefined ? {} : { lastAccess: hideDigests(lastAccess, digest) }),
  };
}

/** Digests of texts as they were sent and shown remain only where the text itself is in the snapshot. */
function withoutVerifiers({ returnedSecrets: _, rewrittenTexts, ...entry }: Entry): Entry {
  if (rewrittenTexts === undefined) return entry;
  const plain = Object.entries(rewrittenTexts).filter(
    ([pointer]) => !holdsDigest(entry.spec[pointer.split('/')[1] ?? '']),
  );
  return { ...entry, rewrittenTexts: Object.fromEntries(plain) };
}
