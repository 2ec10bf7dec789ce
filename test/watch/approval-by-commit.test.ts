import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directory, ran } from '../cli/terminal.ts';
import { signedRepository, skippedWithoutSsh, type SignedRepository } from '../support/signed-repository.ts';
import { address, startWatch } from './start-watch.ts';

describe.skipIf(skippedWithoutSsh !== '')(`approval by a signed commit${skippedWithoutSsh}`, () => {
  test('only a commit of an allowed signer approves, and only what it names; log and page say why others do not', async () => {
    const keys = await directory();
    let repository: SignedRepository | undefined;
    const watched = await startWatch(
      'apply_on_change: false',
      { 'a.yaml': address('brokers') },
      undefined,
      { PATH: process.env['PATH'] ?? '' },
      (dir) => {
        repository = signedRepository(dir, keys);
        return ['--approval-keys', repository.allowed];
      },
    );
    const { log, until, status, page, stop, dir, env } = watched;
    await until(() => log().includes('"event":"approval"'));
    expect(log()).toContain('or push a commit that an allowed signer signed');
    const { approval_digest: digest = '' } = await status();
    repository?.commit('Approve', digest, 'mallory');
    await until(() => log().includes('is not in the allowed signers file'));
    // A long digest may break between groups of its digits.
    const shown = async () => (await (await fetch(`${page()}/`)).text()).replaceAll('<wbr />', '');
    expect(await shown()).toContain(`Sluice-Approve: ${digest}`);
    await until(async () => /commit [0-9a-f]{12} does not approve these changes: the key SHA256:/.test(await shown()));
    repository?.commit(
      'Approve',
      digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      'ada',
    );
    await until(() => log().includes('which is not the digest of the changes that now require approval'));
    expect(log()).not.toContain('"event":"approved"');
    repository?.commit('Approve the brokers', digest, 'ada');
    await until(() => log().includes('"approved_by":"ada@example.com"'));
    expect(log()).toMatch(/approved by ada@example\.com: commit [0-9a-f]{12}: Approve the brokers/);
    await stop();
    const { out } = await ran(dir, ['history', '--format', 'json'], { env });
    const [run] = (JSON.parse(out) as { runs: readonly object[] }).runs;
    expect(run).toMatchObject({ approvals: [{ digest, by: 'ada@example.com' }] });
  });

  test('the keys must be outside of the repository, where others cannot change them, and ssh-keygen must be there', async () => {
    const files = {
      'stack/sluice.yaml': 'version: 1\nstack: {name: a, id: 5c1e7a90}\n',
      'stack/keys': 'a key',
      keys: 'a key',
    };
    const dir = await directory(files);
    const start = async (keys: string, path = process.env['PATH'] ?? ''): Promise<string> => {
      const { code, err } = await ran(join(dir, 'stack'), ['watch', '--approval-keys', keys], {
        env: { SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: 'http://127.0.0.1:9', PATH: path },
      });
      return `${String(code)} ${err}`;
    };
    expect(await start('keys')).toMatch(/^8 .*keys is inside the watched repository/s);
    expect(await start('../keys', '/nowhere')).toMatch(/^8 .*ssh-keygen is not installed/s);
    expect(await start('../keys')).toMatch(/^8 .*is not in a git repository/s);
    await chmod(join(dir, 'keys'), 0o646);
    expect(await start('../keys')).toMatch(/^8 .*every user can change .*set its mode to 0644/s);
    await chmod(join(dir, 'keys'), 0o644);
    await writeFile(join(dir, 'keys'), '\n');
    expect(await start('../keys')).toMatch(/^8 .*keys is empty/s);
  });
});
