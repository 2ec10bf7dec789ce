import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { SluiceError } from '../../diagnostics/errors.ts';
import { readSafely } from '../../files/safe-file.ts';
import { approvingCommits, type ApprovingCommit } from '../../stack/git/approving-commits.ts';
import { checkedOut, type GitHead } from '../../stack/git/git-head.ts';
import { readGit } from '../../stack/git/read-git.ts';
import type { StackContext } from '../../stack/stack-context.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { operatorFile } from '../operator-file.ts';

const flag = '--approval-keys';

/** Reads the approvals in signed commits of the repository of a stack; throws where there is none. */
export type SignedCommitsOf = (
  stackDir: string,
  onFailure: (message: string) => void,
) => () => Promise<readonly ApprovingCommit[]>;

/** Reads the approvals in commits that are signed with the keys of a file outside of a directory; those of a commit once for all stacks of its repository. */
export function signedCommits(
  context: StackContext,
  { dir, keys }: { readonly dir: string; readonly keys: string },
): SignedCommitsOf {
  const { io } = context;
  const allowedSigners = operatorFile({ flag, path: keys, access: 'change' }, { cwd: io.cwd, dir });
  keysIn(allowedSigners);
  const program = programOnPath('ssh-keygen', io.env['PATH'] ?? '');
  if (program === undefined)
    throw new UsageError(`${flag}: ssh-keygen is not installed`, 'install OpenSSH 8.9 or later, or omit the flag');
  const check = { program, allowedSigners };
  const known = new Map<string, { readonly key: string; readonly commits: Promise<readonly ApprovingCommit[]> }>();

  async function commitsAt({ commit, gitDir }: Head): Promise<readonly ApprovingCommit[]> {
    const key = `${commit}\n${keysIn(allowedSigners)}`;
    const before = known.get(gitDir);
    if (before?.key === key) return before.commits;
    const commits = approvingCommits(readGit(context, gitDir), commit, check);
    known.set(gitDir, { key, commits });
    return commits.catch((error: unknown) => {
      if (known.get(gitDir)?.commits === commits) known.delete(gitDir);
      throw error;
    });
  }

  return (stackDir, onFailure) => {
    if (readableHead(stackDir) === undefined)
      throw new UsageError(
        `${flag}: ${stackDir} is not in a git repository whose commits can be read`,
        'watch a directory in a git clone; with git-sync, mount the whole volume, not only one worktree',
      );
    return async () => {
      try {
        const head = readableHead(stackDir);
        return head === undefined ? [] : await commitsAt(head);
      } catch (error) {
        const why = error instanceof SluiceError ? error.message : 'git cannot read the repository';
        onFailure(`approvals in commits cannot be read: ${why}`);
        return [];
      }
    };
  };
}

type Head = Required<Pick<GitHead, 'commit' | 'gitDir'>>;

/** The commit that is checked out, where its repository is there. */
function readableHead(dir: string): Head | undefined {
  const { commit, gitDir } = checkedOut(dir) ?? {};
  return commit === undefined || gitDir === undefined ? undefined : { commit, gitDir };
}

function keysIn(path: string): string {
  const read = readSafely(path);
  if ('code' in read) throw new UsageError(`${flag}: ${path} ${read.message}`);
  if (read.text.trim() === '')
    throw new UsageError(
      `${flag}: ${path} is empty`,
      'add a line to the file for each approver: NAME namespaces="git" KEY',
    );
  return read.text;
}

function programOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((program) => {
      try {
        accessSync(program, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
