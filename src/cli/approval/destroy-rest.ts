import { counted } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { listSome } from '../../plan/warnings/list-some.ts';

/** How to delete the rest where protection keeps `destroy` from deleting a whole stack; undefined where that is not the reason, or there is no rest. */
export function destroyRest({ changes }: Plan): string | undefined {
  const deletions = changes.filter(({ action }) => action === 'delete');
  const kept = deletions.filter(
    ({ blocked }) => blocked?.code === 'PROTECTED' || blocked?.code === 'CONTAINS_PROTECTED',
  );
  const rest = deletions.length - kept.length;
  if (kept.length === 0 || rest === 0) return undefined;
  const those = listSome(kept.map(({ address, blocked }) => safeText(blocked?.manifest ?? address)));
  return `\`sluice destroy\` deletes a whole stack or nothing. To delete only the other ${counted(rest, 'resource')}, keep the manifests of ${those}, remove all other manifests, and run \`sluice apply\`.`;
}
