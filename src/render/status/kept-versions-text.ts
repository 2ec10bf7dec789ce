import { safeText } from '../../diagnostics/safe-text.ts';
import type { KeptVersions } from '../../model/status/watch-status.ts';
import { listSome } from '../../plan/warnings/list-some.ts';

/** What keeps its last valid version because of errors in the manifests; undefined: not known. */
export function keptVersionsText(kept: KeptVersions | undefined): string {
  if (kept === undefined) return 'every resource that an error may concern keeps its last valid version';
  const { isAll, addresses } = kept;
  if (isAll && addresses.length === 0)
    return 'an error may concern any resource, and there is no valid version, so nothing is applied';
  if (isAll)
    return 'an error may concern any resource, so all keep their last valid version and nothing new is applied';
  return addresses.length === 0
    ? 'nothing is deleted'
    : `nothing is deleted, and ${listSome(addresses)} ${addresses.length === 1 ? 'keeps its' : 'keep their'} last valid version`;
}

/** That manifests have errors, and what that keeps as it was. */
export function invalidManifestsText(kept: KeptVersions | undefined): string {
  return `manifests have errors${keptBecauseOf(kept)}; ${keptVersionsText(kept)}`;
}

function keptBecauseOf(kept: KeptVersions | undefined): string {
  return kept === undefined || kept.files.length === 0
    ? ''
    : ` (${listSome(kept.files.map((file) => safeText(file, 200)))})`;
}
