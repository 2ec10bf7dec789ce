import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { sortedJson } from '../../derive/sorted-json.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { AppliedRevision } from '../../model/state.ts';
import { encodeValue } from '../../plan/saved/encoded.ts';
import { gitHead } from '../git/git-head.ts';

/** The revision that a directory has checked out (or another commit whose manifests were read), with what its manifests describe; undefined outside of git. */
export function checkedOutRevision(
  dir: string,
  desired: DesiredStack,
  digest: (text: string) => string,
  commit = checkedOutCommit(dir),
): AppliedRevision | undefined {
  return commit === undefined ? undefined : { commit, manifests: manifestsHash(desired, digest) };
}

/** The commit that a directory has checked out; undefined for a worktree that git-sync has removed since it was read. */
export function checkedOutCommit(dir: string): string | undefined {
  const path = existingPath(dir);
  return path === undefined ? undefined : gitHead(path)?.commit;
}

function existingPath(dir: string): string | undefined {
  try {
    return realpathSync(dir);
  } catch {
    return undefined;
  }
}

/** A hash of what manifests describe. A value from outside counts as where it comes from. */
export function manifestsHash({ resources }: DesiredStack, digest: (text: string) => string): string {
  const described = resources.map(({ address, spec, lifecycle }) => [address, { spec, lifecycle }]);
  const encoded = encodeValue(Object.fromEntries(described), (text, origin) =>
    origin === undefined ? digest(text) : '',
  );
  return hash('sha256', sortedJson(encoded), 'hex');
}
