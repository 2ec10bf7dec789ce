import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { skippedWithout } from './skipped-without.ts';

/** The path of `ssh-keygen`; empty where it is not installed. */
export const sshKeygen = onPath('ssh-keygen');

/** What the names of tests end in that sign commits. */
export const skippedWithoutSsh = skippedWithout('ssh-keygen', sshKeygen !== '');

/** Who can sign; only Ada is an allowed signer. */
export type Signer = 'ada' | 'mallory';

/** A git repository with signed commits. */
export interface SignedRepository {
  readonly dir: string;
  /** The file of allowed signers. */
  readonly allowed: string;
  readonly publicKey: (signer: Signer) => string;
  readonly git: (...args: readonly string[]) => string;
  /** Makes an empty commit with a trailer that approves a digest, signed by somebody or by nobody. */
  readonly commit: (message: string, digest?: string, signer?: Signer) => void;
}

/** Makes a repository of a directory with its files, and keys in another one. */
export function signedRepository(dir: string, keys: string): SignedRepository {
  for (const signer of ['ada', 'mallory'])
    execFileSync(sshKeygen, ['-q', '-t', 'ed25519', '-N', '', '-C', signer, '-f', join(keys, signer)]);
  const publicKey = (signer: Signer): string => readFileSync(join(keys, `${signer}.pub`), 'utf8').trim();
  const allowed = join(keys, 'allowed-signers');
  writeFileSync(allowed, `ada@example.com namespaces="git" ${publicKey('ada')}\n`, { mode: 0o644 });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'gpg.format=ssh', ...args], {
      cwd: dir,
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'Initial commit');
  return {
    dir,
    allowed,
    publicKey,
    git,
    commit: (message, digest, signer) => {
      const signed = signer === undefined ? [] : ['-c', `user.signingKey=${join(keys, signer)}`];
      const trailer = digest === undefined ? [] : ['--trailer', `Sluice-Approve: ${digest}`];
      git(...signed, 'commit', '-q', '--allow-empty', ...(signer ? ['-S'] : []), '-m', message, ...trailer);
    },
  };
}

function onPath(name: string): string {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return places.find(isProgram) ?? '';
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
