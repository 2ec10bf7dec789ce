import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import type { KindSet } from '../../kinds/kind.ts';
import { externalKind } from './external.ts';
import { moduleSetKind } from './module-set.ts';

/** Whether manifests can be of this kind: one of the API's, or one of sluice's own. */
export function isKnownKind(kind: string, kinds: KindSet): boolean {
  return kind === externalKind || kind === moduleSetKind || kinds.named(kind) !== undefined;
}

/** What a kind that is not known probably means, else all that are. */
export function hintToKind(kind: string | undefined, kinds: KindSet): string {
  const known = [...kinds.all.map(({ name }) => name), externalKind, moduleSetKind];
  const near = kind === undefined ? undefined : didYouMean(kind, known);
  return near ?? `known kinds: ${known.join(', ')}`;
}
