import type { DesiredStack } from '../../model/resource.ts';
import { checksumOf, encodeValue } from '../../plan/saved/encoded.ts';

/** A hash of what manifests describe. A value from outside counts as where it comes from. */
export function manifestsHash({ resources }: DesiredStack, digest: (text: string) => string): string {
  const described = resources.map(({ address, spec, lifecycle }) => [address, { spec, lifecycle }]);
  const encoded = encodeValue(Object.fromEntries(described), (text, origin) =>
    origin === undefined ? digest(text) : '',
  );
  return checksumOf(encoded);
}
