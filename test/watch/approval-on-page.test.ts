import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { directory, ran } from '../cli/terminal.ts';
import { movedText } from '../../src/state/moved-away.ts';
import { skippedWithout } from '../support/skipped-without.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { address, startWatch, type Watched } from './start-watch.ts';

const token = '6f1d2c4b8a9e0f3d5c7b6a1e2f4d8c9b';

interface Waiting extends Watched {
  readonly digest: string;
  readonly post: (headers?: Readonly<Record<string, string>>, of?: string) => Promise<number>;
}

/** A watch that takes approvals on its page, and has a change pending. */
async function waiting(...flags: readonly string[]): Promise<Waiting> {
  const outside = await directory({ token });
  const tokenFile = join(outside, 'token');
  await chmod(tokenFile, 0o600);
  const watched = await startWatch('apply_on_change: false', { 'a.yaml': address('brokers') }, undefined, {}, () => [
    '--approval-token-file',
    tokenFile,
    ...flags,
  ]);
  await watched.until(() => watched.log().includes('"event":"approval"'));
  const { approval_digest: digest = '' } = await watched.status();
  return {
    ...watched,
    digest,
    post: async (headers = {}, of = digest) => {
      const { status } = await fetch(`${watched.page()}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ digest: of, reason: 'CHG-1042' }),
      });
      return status;
    },
  };
}

test('what was approved over HTTP is applied, and log and history say who approved it', async () => {
  const { digest, post, log, until, stop, dir, env } = await waiting(
    '--approval-user-header',
    'X-Forwarded-User',
    '--approval-proxy',
    '127.0.0.1',
  );
  expect(log()).toContain('or approve the changes on the status page');
  expect(await post({ authorization: `Bearer ${token}x` })).toBe(401);
  expect(
    await post(
      {},
      digest.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toBe(409);
  expect(log()).not.toContain('"event":"approved"');
  expect(await post({ 'x-forwarded-user': 'ada@example.com' })).toBe(202);
  await until(() => log().includes('"approved_by":"ada@example.com"'));
  await until(async () => (await post()) === 409);
  await stop();
  const { out } = await ran(dir, ['history', '--format', 'json'], { env });
  const [run] = (JSON.parse(out) as { runs: readonly object[] }).runs;
  expect(run).toMatchObject({ approvals: [{ digest, by: 'ada@example.com', reason: 'CHG-1042' }] });
  expect(log()).not.toContain(token);
});

test('once the state was moved away, the page takes no approval, and says where the state is', async () => {
  const { digest, page, dir } = await waiting();
  await writeFile(join(dir, '.sluice/state.json'), movedText('s3://states/company'));
  const answer = await fetch(`${page()}/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ digest }),
  });
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringMatching(
      /^nothing was approved: the state in .*state\.json was moved to s3:\/\/states\/company; set `state`/,
    ),
  ]);
  expect(existsSync(join(dir, '.sluice/watch-requests.json'))).toBe(false);
});

test('the token file must be private, outside of the repository, and hold a token', async () => {
  const dir = await directory({
    'stack/sluice.yaml': 'version: 1\nstack: {name: a, id: 5c1e7a90}\n',
    'stack/token': token,
  });
  const outside = join(dir, 'token');
  const start = async (flags: string): Promise<string> => {
    const { code, err } = await ran(join(dir, 'stack'), ['watch', ...flags.split(' ')], {
      env: { SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: 'http://127.0.0.1:9' },
    });
    return `${String(code)} ${err}`;
  };
  await writeFile(outside, 'short', { mode: 0o600 });
  await chmod(join(dir, 'stack/token'), 0o600);
  expect(await start('--approval-token-file token')).toMatch(/^8 .*token is inside the watched repository/s);
  expect(await start('--approval-token-file ../nothing')).toMatch(/^8 .*nothing cannot be read/s);
  expect(await start('--approval-token-file ../token')).toMatch(/^8 .*at least 32 characters/s);
  await writeFile(outside, token);
  await chmod(outside, 0o604);
  expect(await start('--approval-token-file ../token')).toMatch(
    /^8 .*every user can read .*set the mode of the file to 0600/s,
  );
  await chmod(outside, 0o640);
  expect(await start('--approval-token-file ../token')).toMatch(/^8 .*the group of the file can read/s);
  await chmod(outside, 0o600);
  expect(await start('--approval-token-file ../token --no-listen')).toMatch(/^8 .*requires the status page/s);
  expect(await start('--approval-token-file ../token --approval-proxy 127.0.0.1')).toMatch(/^8 .*require each other/s);
  expect(await start('--approval-token-file ../token --approval-proxy proxy --approval-user-header X-User')).toMatch(
    /^8 .*must be an IP address/s,
  );
});

const skipped = skippedWithout('chromium', hasBrowser());

describe.skipIf(skipped !== '')(`in a browser${skipped}`, () => {
  test('a person approves on the page what it shows, and the page keeps the token nowhere', async () => {
    const { page: url, post, log, until, stop } = await waiting();
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(url());
    const action = page.locator('#action');
    expect(await action.innerText()).toContain('brokers');
    await action.getByLabel('Token').fill('not the token');
    await action.getByRole('button', { name: 'Approve' }).click();
    await action.getByText('Not approved: the token is wrong').waitFor();
    await action.getByLabel('Reason').fill('CHG-1042');
    await action.getByLabel('Token').fill(token);
    await action.getByLabel('Token').press('Enter');
    await until(() => log().includes('approved by user with the approval token: CHG-1042'));
    await page.locator('#action').waitFor({ state: 'detached' });
    expect(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])'),
    ).not.toContain(token);
    expect(requested.join('\n')).not.toContain(token);
    expect(await post()).toBe(409);
    await stop();
  });
});
