import type { DesiredStack } from '../../model/resource.ts';
import type { AppliedRevision } from '../../model/state.ts';
import { checksumOf, encodeValue } from '../../plan/saved/encoded.ts';

/** The commit whose manifests are applied, with what they describe; undefined outside of git. */
export function appliedRevision(
  commit: string | undefined,
  desired: DesiredStack,
  digest: (text: string) => string,
): AppliedRevision | undefined {
  return commit === undefined ? undefined : { commit, manifests: manifestsHash(desired, digest) };
}

/** A hash of what manifests describe. A value from outside counts as where it comes from. */
export function manifestsHash({ resources }: DesiredStack, digest: (text: string) => string): string {
  const described = resources.map(({ address, spec, lifecycle }) => [address, { spec, lifecycle }]);
  const encoded = encodeValue(Object.fromEntries(described), (text, origin) =>
    origin === undefined ? digest(text) : '',
  );
  return checksumOf(encoded);
}
