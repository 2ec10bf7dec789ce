import { statSync } from 'node:fs';
import { userInfo } from 'node:os';

/** What others might do with a file. */
export type FileAccess = 'read' | 'change';

/**
 * Who beside the user of this process may read or change a file; undefined: nobody. The group does not count where the file belongs to
 * another user, as secrets that Kubernetes mounts: then the group is how this process reads it. Throws where there is no such file.
 */
export function sharedAccess(path: string, access: FileAccess): string | undefined {
  const { mode, uid } = statSync(path);
  const own = ownUid();
  // Some file systems have neither users nor modes.
  if (own === -1) return undefined;
  const bits = access === 'read' ? 0o6 : 0o2;
  if ((mode & bits) !== 0) return 'every user';
  return uid === own && (mode & (bits << 3)) !== 0 ? 'the group of the file' : undefined;
}

function ownUid(): number | undefined {
  try {
    return userInfo().uid;
  } catch {
    return undefined;
  }
}
