import { safeText } from '../../diagnostics/safe-text.ts';
import type { ReadGit } from './read-git.ts';

/** A digest that the message of a commit approves, and whose signature the commit has. */
export interface ApprovingCommit {
  readonly commit: string;
  readonly subject: string;
  /** The value of the trailer, whatever it is. */
  readonly digest: string;
  /** When the commit was made, in milliseconds since 1970. */
  readonly at: number;
  /** The signer as the file of allowed signers names them, or why the signature does not count. */
  readonly signature: { readonly by: string } | { readonly problem: string };
}

/** What verifies signatures. */
export interface SignatureCheck {
  /** The absolute path of `ssh-keygen`. */
  readonly program: string;
  /** A file of allowed signers, as `ssh-keygen` reads it. */
  readonly allowedSigners: string;
}

// How far back an approval is looked for; and at most so many signatures are verified.
const maxCommits = 50;
const maxVerified = 10;
const maxBytes = 8_000_000;

/**
 * The approvals in the messages of the last commits, the newest first. Only the last paragraph counts, where git writes trailers. Keys and
 * programs of the repository's configuration play no part: each is set to the operator's, or to nothing.
 */
export async function approvingCommits(
  git: ReadGit,
  head: string,
  check: SignatureCheck,
): Promise<readonly ApprovingCommit[]> {
  const recent = await recordsOf(git, ['log', `--max-count=${String(maxCommits)}`, ...printed('%H%n%B'), head]);
  const approving = recent
    .flatMap(([commit = '', ...message]) => (approvedDigests(message).length === 0 ? [] : [commit]))
    .slice(0, maxVerified);
  if (approving.length === 0) return [];
  const format = printed('%H%n%ct%n%G?%n%GK%n%GS%n%B');
  const verified = await recordsOf(git, [
    ...onlyTheseKeys(check),
    'log',
    '--no-walk=unsorted',
    ...format,
    ...approving,
  ]);
  return verified.flatMap(([commit = '', seconds = '', verdict = '', key = '', signer = '', ...message]) =>
    approvedDigests(message).map((digest) => ({
      commit,
      subject: safeText(message[0] ?? '', 200),
      digest,
      at: Number(seconds) * 1000,
      signature: signatureOf(verdict, key, signer),
    })),
  );
}

/** Verdicts of git: `G` is good and by an allowed key, `U` is good and by another one, `N` is none that is verified here. */
function signatureOf(verdict: string, key: string, signer: string): ApprovingCommit['signature'] {
  if (verdict === 'G' && signer !== '') return { by: safeText(signer, 80) };
  if (verdict === 'U')
    return {
      problem: `the key ${safeText(key, 100)} is not in the allowed signers file, or was not valid at the time of the commit`,
    };
  return { problem: verdict === 'N' ? 'the commit has no SSH signature' : 'the signature is not valid' };
}

function approvedDigests(message: readonly string[]): readonly string[] {
  const text = message.join('\n').trimEnd();
  const trailers = text.split(/\n[ \t]*\n/).at(-1) ?? '';
  return [...trailers.matchAll(/^Sluice-Approve:[ \t]*(\S+)[ \t]*$/gim)].map(([, digest = '']) => safeText(digest, 80));
}

/** Each commit as lines. */
async function recordsOf(git: ReadGit, args: readonly string[]): Promise<readonly (readonly string[])[]> {
  const printed = (await git(args, maxBytes)).toString('utf8');
  return printed.split('\0').flatMap((record) => (record === '' ? [] : [record.split('\n')]));
}

function printed(format: string): readonly string[] {
  return ['-z', '--no-patch', '--no-show-signature', '--encoding=UTF-8', `--format=tformat:${format}`];
}

function onlyTheseKeys({ program, allowedSigners }: SignatureCheck): readonly string[] {
  const nothing = '/dev/null';
  return [
    `gpg.ssh.program=${program}`,
    `gpg.ssh.allowedSignersFile=${allowedSigners}`,
    'gpg.ssh.revocationFile=',
    'gpg.minTrustLevel=undefined',
    ...['gpg.program', 'gpg.openpgp.program', 'gpg.x509.program'].map((name) => `${name}=${nothing}`),
  ].flatMap((each) => ['-c', each]);
}
