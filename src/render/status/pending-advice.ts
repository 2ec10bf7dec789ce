import type { PendingChange } from '../../model/watch-status.ts';

const advice: Partial<Record<PendingChange['reason'], string>> = {
  protected:
    'To keep the resource, revert the change. To delete or replace it, first push a commit that only sets `lifecycle.protect: false` in its manifest (restore the manifest if it is gone).',
  manual:
    'Enable the setting in sluice.yaml, or make the manifests match the account. To apply it once, run `sluice pause`, `sluice apply` and `sluice resume`.',
  unresolved: 'Run `sluice state resolve`.',
  refused:
    'Correct the manifest, or the resource in the account that the message names. Until then, each attempt gets the same answer.',
  'invalid-manifest': 'Correct the manifest; its errors are listed.',
};

/** What a person has to do about a pending change, commands between backticks; empty where an approval is all it needs. */
export function pendingAdvice(reason: PendingChange['reason']): string {
  return advice[reason] ?? '';
}
