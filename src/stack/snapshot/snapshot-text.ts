import { hideDigests, holdsDigest } from '../../derive/external/hidden-values.ts';
import type { Actual } from '../../model/actual.ts';
import { present } from '../../model/present.ts';
import type { State, Entry } from '../../model/state.ts';
import { checksumOf, encodeValue } from '../../plan/saved/encoded.ts';
import type { SnapshotFile } from './snapshot-schema.ts';

/** What a snapshot contains, before its secrets are hidden. */
export type ToSnapshot = Omit<SnapshotFile, 'format' | 'integrity' | 'resources' | 'state'> & {
  readonly state?: State;
  readonly resources: readonly Actual[];
};

/** The text of a snapshot. Of secrets and external values it has the place and the source. */
export function snapshotText({ resources, ...rest }: ToSnapshot): string {
  const content = {
    format: 'sluice-snapshot/1',
    ...rest,
    // Each field by its name: nothing is written that was not meant to be.
    resources: resources.map(({ kind, id, spec, computed, parent, marker, unmarkable }) => ({
      kind,
      id,
      spec: encodeValue(spec, () => ''),
      computed: encodeValue(computed, () => ''),
      ...present({ parent, marker, unmarkable }),
    })),
  };
  return `${JSON.stringify({ ...content, integrity: checksumOf(content) })}\n`;
}

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
