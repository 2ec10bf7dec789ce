import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { approvingCommits, type ApprovingCommit } from '../../../src/stack/git/approving-commits.ts';
import { runGit } from '../../../src/stack/git/read-git.ts';
import {
  signedRepository,
  sshKeygen,
  skippedWithoutSsh,
  type SignedRepository,
} from '../../support/signed-repository.ts';

const digest = `sha256:${'0d44e1f7'.repeat(8)}`;

function read({ dir, allowed }: SignedRepository, head = 'HEAD'): Promise<readonly ApprovingCommit[]> {
  const options = {
    gitDir: join(dir, '.git'),
    env: process.env,
    signal: new AbortController().signal,
    timeoutMs: 30_000,
  };
  return approvingCommits((args, maxBytes, input) => runGit(args, { ...options, maxBytes }, input), head, {
    program: sshKeygen,
    allowedSigners: allowed,
  });
}

function repository(): SignedRepository {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return signedRepository(folder, folder);
}

describe.skipIf(skippedWithoutSsh !== '')(`the commits that approve${skippedWithoutSsh}`, () => {
  test('are those with the trailer, the newest first, each with its signer or why the signature does not count', async () => {
    const made = repository();
    made.commit('Approve the new region', digest, 'ada');
    made.commit('Unsigned', digest);
    made.commit('By somebody else', digest, 'mallory');
    made.commit(`Says\n\nSluice-Approve: ${digest}\n\nin the middle`, undefined, 'ada');
    const found = await read(made);
    expect(found.map(({ subject, digest, signature }) => [subject, digest, signature])).toEqual([
      [
        'By somebody else',
        digest,
        { problem: expect.stringMatching(/^the key SHA256:\S+ is not in the allowed signers file/) as string },
      ],
      ['Unsigned', digest, { problem: 'the commit has no SSH signature' }],
      ['Approve the new region', digest, { by: 'ada@example.com' }],
    ]);
    expect(Math.abs((found[0]?.at ?? 0) - Date.now())).toBeLessThan(3_600_000);
  });

  test('do not count with a key that had expired when the commit was made', async () => {
    const made = repository();
    made.commit('Approve', digest, 'ada');
    writeFileSync(made.allowed, `ada@example.com valid-before="20200101" ${made.publicKey('ada')}`);
    const [found] = await read(made);
    expect(found?.signature).toEqual({
      problem: expect.stringContaining('or was not valid at the time of the commit') as string,
    });
  });

  test('do not count if the message differs from the signed one', async () => {
    const made = repository();
    made.commit('Approve', digest, 'ada');
    const forged = made.git('cat-file', 'commit', 'HEAD').replace(digest, digest.replace('0d44', '1d44'));
    writeFileSync(join(made.dir, 'forged'), forged);
    const [found] = await read(made, made.git('hash-object', '-t', 'commit', '-w', 'forged').trim());
    expect(found).toMatchObject({
      digest: digest.replace('0d44', '1d44'),
      signature: { problem: 'the signature is not valid' },
    });
  });

  test('are verified without programs and keys that the configuration of the repository names', async () => {
    const made = repository();
    made.commit('Approve', digest, 'mallory');
    const [ran, evil] = [join(made.dir, 'ran'), join(made.dir, 'evil')];
    writeFileSync(
      evil,
      `#!/bin/sh\ntouch ${ran}\necho 'Good "git" signature for ada@example.com with ED25519 key x'\n`,
    );
    chmodSync(evil, 0o755);
    const signers = join(made.dir, 'signers');
    writeFileSync(signers, `ada@example.com ${made.publicKey('mallory')}`);
    for (const name of [
      'gpg.program',
      'gpg.ssh.program',
      'gpg.openpgp.program',
      'gpg.x509.program',
      'core.fsmonitor',
      'core.pager',
    ])
      made.git('config', name, evil);
    made.git('config', 'gpg.ssh.allowedSignersFile', signers);
    made.git('config', 'log.showSignature', 'true');
    const pgp = made
      .git('cat-file', 'commit', 'HEAD')
      .replace(/(?<=BEGIN )SSH SIGNATURE/, 'PGP SIGNATURE')
      .replace(/(?<=END )SSH SIGNATURE/, 'PGP SIGNATURE');
    writeFileSync(join(made.dir, 'pgp'), pgp);
    const other = made.git('hash-object', '-t', 'commit', '-w', 'pgp').trim();
    expect((await read(made))[0]?.signature).toEqual({
      problem: expect.stringContaining('is not in the allowed signers file') as string,
    });
    expect((await read(made, other))[0]?.signature).toEqual({ problem: 'the commit has no SSH signature' });
    expect(existsSync(ran)).toBe(false);
    // The program would have run: git without the settings of sluice runs it.
    execFileSync('git', ['log', '-1', '--format=%G?'], { cwd: made.dir });
    expect(existsSync(ran)).toBe(true);
    expect(readFileSync(made.allowed, 'utf8')).not.toContain(made.publicKey('mallory'));
  });
});
