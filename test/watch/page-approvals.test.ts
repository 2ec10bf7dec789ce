import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageApprovals, type WatchApprovalFlags } from '../../src/watch/take-approvals.ts';
import { directory } from '../cli/terminal.ts';

const token = '6f1d2c4b8a9e0f3d5c7b6a1e2f4d8c9b';

/** A place with a token outside of the watched directory, and one inside. */
async function place(text = `${token}\n`): Promise<{ readonly cwd: string; readonly dir: string }> {
  const cwd = await directory({ token: text, 'stack/token': text, 'stack/sluice.yaml': '' });
  await chmod(join(cwd, 'token'), 0o600);
  await chmod(join(cwd, 'stack/token'), 0o600);
  return { cwd, dir: join(cwd, 'stack') };
}

describe('whoever may approve on the page', () => {
  test('has the token of a file; nobody may without one', async () => {
    const at = await place();
    expect(pageApprovals({}, at)).toBeUndefined();
    expect(pageApprovals({ approvalTokenFile: 'token' }, at)).toEqual({ tokenFile: join(at.cwd, 'token') });
  });

  test('is named by a header of a proxy, where both are given', async () => {
    const at = await place();
    const flags = { approvalTokenFile: 'token', approvalUserHeader: 'X-Forwarded-User', approvalProxy: '127.0.0.1' };
    expect(pageApprovals(flags, at)).toMatchObject({ identity: { header: 'X-Forwarded-User', proxy: '127.0.0.1' } });
  });

  test.each<[WatchApprovalFlags, string]>([
    [{ approvalProxy: '127.0.0.1' }, '--approval-user-header and --approval-proxy require each other'],
    [{ approvalUserHeader: 'X-User' }, '--approval-user-header and --approval-proxy require each other'],
    [{ approvalUserHeader: 'X-User', approvalProxy: '::1' }, '--approval-user-header requires --approval-token-file'],
    [
      { approvalTokenFile: 'token', approvalUserHeader: 'X User', approvalProxy: '::1' },
      '--approval-user-header must be the name of a header',
    ],
    [
      { approvalTokenFile: 'token', approvalUserHeader: 'X-User', approvalProxy: 'proxy' },
      '--approval-proxy must be an IP address',
    ],
    [{ approvalTokenFile: 'none' }, 'cannot be read'],
    [{ approvalTokenFile: 'stack/token' }, 'is inside the watched repository'],
  ])('cannot be %j', async (flags, why) => {
    const at = await place();
    expect(() => pageApprovals(flags, at)).toThrow(why);
  });

  test('has no token that is short, or more than one', async () => {
    for (const text of [token.slice(1), `${token} ${token}`]) {
      const at = await place(text);
      expect(() => pageApprovals({ approvalTokenFile: 'token' }, at)).toThrow('must contain one token of at least 32');
    }
  });

  test('has no token that others can read, or that a link leads to in the repository', async () => {
    const at = await place();
    await symlink('stack/token', join(at.cwd, 'link'));
    expect(() => pageApprovals({ approvalTokenFile: 'link' }, at)).toThrow('is inside the watched repository');
    await chmod(join(at.cwd, 'token'), 0o644);
    expect(() => pageApprovals({ approvalTokenFile: 'token' }, at)).toThrow(/can read .*token/);
  });
});
