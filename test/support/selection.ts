import type { SelectionInput } from '../../src/watch/decide/select-applicable.ts';
import type { SyncSettings } from '../../src/watch/decide/sync-policy.ts';
import { digest } from './harness.ts';

/** The settings of a watch that does everything without an approval. */
export const everything: SyncSettings = { applyOnChange: true, healDrift: true, prune: true, renew: true, kinds: {} };

/** What a watch selects from after the manifests have changed: nothing has failed, nothing is in conflict, nothing is approved. */
export function afterChange(syncSettings = everything): SelectionInput {
  return {
    syncSettings,
    hasChanged: () => true,
    wasInSync: () => false,
    isInConflict: () => false,
    failureOf: () => undefined,
    digest,
    approved: new Map(),
  };
}
