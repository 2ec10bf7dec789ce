import { execFileSync } from 'node:child_process';

/** The user that tests act for beside root. */
export const nobody = 65_534;

/** Why tests that start Node as another user cannot run here; empty where they can. */
export const withoutAnotherUser = reason();

function reason(): string {
  if (process.getuid?.() !== 0) return ' (LEFT OUT: only root can act for two users)';
  try {
    execFileSync(process.execPath, ['--version'], { uid: nobody, gid: nobody, stdio: 'ignore' });
    return '';
  } catch {
    return ` (LEFT OUT: only root can run ${process.execPath})`;
  }
}
