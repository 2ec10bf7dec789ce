import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StateError } from '../../../src/diagnostics/errors.ts';
import type { ApprovalRecord, WatchStatus } from '../../../src/model/status/watch-status.ts';
import { approveOverHttp, type PageApprovals } from '../../../src/watch/status/approve-over-http.ts';
import { byPath, serveReplies } from '../../../src/watch/status/http-replies.ts';
import { requireToken } from '../../../src/watch/status/page-token.ts';

const token = 'a-token-of-more-than-32-characters';
const digest = `sha256:${'0d44e1f7'.repeat(8)}`;
const awaited = { plan: '', summary: { changes: [], hazards: [] }, follows: [] };

type Leader = Pick<WatchStatus, 'leader' | 'leaderUrl'>;

interface Served {
  /** Status and text of the answer to a request, by default one that approves. */
  readonly post: (headers?: Record<string, string | string[] | undefined>, body?: unknown) => Promise<string>;
  readonly send: (path: string, method: string, headers: object, body?: string) => Promise<string>;
  readonly approvals: readonly ApprovalRecord[];
  readonly refusals: readonly string[];
  readonly pass: (ms: number) => void;
  /** From here on another process is the leader. */
  readonly standBy: (leader: Leader) => void;
  readonly tokenFile: string;
}

async function serve(identity?: PageApprovals['identity'], proxyUrl?: string): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  const approvals: ApprovalRecord[] = [];
  const refusals: string[] = [];
  let now = 1_000_000;
  let other: Leader | undefined;
  const approve = approveOverHttp({
    requireToken: requireToken(tokenFile, () => now),
    latest: () =>
      other === undefined ? { role: 'leader', awaited: { ...awaited, digest } } : { role: 'standby', ...other },
    mustBeHere: () => Promise.resolve(),
    record: (approval) => Promise.resolve(void approvals.push(approval)),
    onRefused: (reason) => refusals.push(reason),
    now: () => now,
    ...(identity === undefined ? {} : { identity }),
  });
  const server = await serveReplies({
    port: 0,
    find: byPath({}),
    findPost: byPath({ '/approve': approve }),
    proxyUrl,
    onError: () => undefined,
  });
  onTestFinished(() => server.close());
  const send: Served['send'] = (path, method, headers, body = '') =>
    new Promise((done, failed) => {
      const sent = request(`${server.url}${path}`, { method, headers: { ...headers }, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done(`${String(response.statusCode)} ${text.trim()}`));
      });
      sent.on('error', failed);
      sent.end(body);
    });
  return {
    approvals,
    refusals,
    pass: (ms) => (now += ms),
    standBy: (leader) => (other = leader),
    tokenFile,
    send,
    post: (headers = {}, body = { digest, reason: 'CHG-1042' }) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const usual = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      };
      const given: Record<string, string | string[] | undefined> = { ...usual, ...headers };
      const all = Object.entries(given).filter(([, value]) => value !== undefined);
      return send('/approve', 'POST', Object.fromEntries(all), text);
    },
  };
}

test('whoever has the token approves exactly the changes that are pending', async () => {
  const { post, approvals } = await serve();
  expect(await post()).toBe('202 approved');
  expect(approvals).toEqual([{ digest, by: 'user with the approval token', at: 1_000_000, reason: 'CHG-1042' }]);
  expect(await post({}, { digest: `sha256:${'1'.repeat(64)}` })).toMatch(/^409 /);
  expect(approvals).toHaveLength(1);
});

test('a name counts only where the request comes from the trusted proxy, and a connection that is gone comes from nowhere', async () => {
  const by = async (from: string | undefined): Promise<string | undefined> => {
    let approval: ApprovalRecord | undefined;
    const approve = approveOverHttp({
      requireToken: () => undefined,
      latest: () => ({ role: 'leader', awaited: { ...awaited, digest } }),
      mustBeHere: () => Promise.resolve(),
      record: (given) => Promise.resolve(void (approval = given)),
      onRefused: () => undefined,
      now: () => 0,
      identity: { header: 'X-User', proxy: '10.0.0.1' },
    });
    await approve({ from, headers: { 'x-user': ['ada'] }, text: JSON.stringify({ digest }) });
    return approval?.by;
  };
  expect(await by('10.0.0.1')).toBe('ada');
  expect(await by('::ffff:10.0.0.1')).toBe('ada');
  for (const from of ['10.0.0.2', undefined]) expect(await by(from)).toBe('user with the approval token');
});

test('an approval that would replace what may contain a pause is answered with the reason', async () => {
  const unreadable = new StateError('OPERATOR_REQUESTS_UNREADABLE', 'it is damaged', { hint: 'run `sluice resume`' });
  const approve = approveOverHttp({
    requireToken: () => undefined,
    latest: () => ({ role: 'leader', awaited: { ...awaited, digest } }),
    mustBeHere: () => Promise.resolve(),
    record: () => Promise.reject(unreadable),
    onRefused: () => undefined,
    now: () => 0,
  });
  expect(await approve({ from: undefined, headers: {}, text: JSON.stringify({ digest }) })).toMatchObject({
    status: 503,
    body: 'nothing was approved: it is damaged; run `sluice resume`\n',
  });
});

test('docs/status-page.md has the answer of a process on standby', async () => {
  const { post, standBy } = await serve();
  standBy({});
  const status = (await post()).slice(0, 3);
  const rows = readFileSync(join(import.meta.dirname, '../../../docs/status-page.md'), 'utf8').split('\n');
  const onStandby = rows.filter((row) => /^\| [0-9, ]+ \|.* standby/.test(row)).map((row) => row.slice(2, 5));
  expect(onStandby).toEqual([status]);
});

test('a process on standby approves nothing, and names the leader to whoever has the token', async () => {
  const { post, approvals, standBy } = await serve();
  standBy({ leader: 'sluice-1', leaderUrl: 'https://sluice-1.example.com/' });
  expect(await post()).toBe(
    '503 nothing was approved: this process is on standby, and the leader is sluice-1; approve the changes at https://sluice-1.example.com/',
  );
  expect(await post({ authorization: 'Bearer x' })).toBe('401 the token is wrong');
  standBy({ leader: 'sluice-1' });
  expect(await post()).toBe('503 nothing was approved: this process is on standby, and the leader is sluice-1');
  standBy({});
  expect(await post()).toMatch(/^503 nothing was approved: this process is on standby, and the leader is unknown; /);
  expect(approvals).toEqual([]);
});

test('a body has up to 8,192 bytes of JSON, with a reason of up to 200 characters or none', async () => {
  const { post, approvals } = await serve();
  const text = JSON.stringify({ digest });
  expect(await post({ 'content-type': 'application/json; charset=UTF-8' }, text.padEnd(8_192))).toBe('202 approved');
  expect(await post({}, text.padEnd(8_193))).toBe('413 the body is longer than 8192 bytes');
  expect(await post({ 'content-type': 'application/json; charset=latin1' }, text)).toMatch(/^415 /);
  expect(await post({}, { digest, reason: 'x'.repeat(201) })).toMatch(/^400 /);
  expect(await post({}, { digest, reason: 'x'.repeat(200) })).toBe('202 approved');
  expect(approvals.map(({ reason }) => reason?.length)).toEqual([undefined, 200]);
  expect(approvals[0]).not.toHaveProperty('reason');
});

test('a page of this server may approve, and one that a proxy serves at the URL that the operator names', async () => {
  const { post, approvals } = await serve(undefined, 'https://sluice.example.com/fleet/');
  const site = { 'sec-fetch-site': 'same-origin' };
  expect(await post({ ...site, host: '127.0.0.1:9470', origin: 'http://127.0.0.1:9470' })).toBe('202 approved');
  expect(await post({ ...site, origin: 'https://sluice.example.com' })).toBe('202 approved');
  expect(approvals).toHaveLength(2);
});

describe('nothing is approved', () => {
  test.each<[string, Record<string, string | undefined>, unknown, RegExp]>([
    ['without a token', { authorization: undefined }, undefined, /^401 /],
    ['with another token', { authorization: `Bearer ${token}x` }, undefined, /^401 /],
    ['with a token that is not sent as a bearer token', { authorization: `Basic ${token}` }, undefined, /^401 /],
    ['from a page of another origin', { origin: 'https://evil.example' }, undefined, /^403 /],
    ['from a page without an origin', { origin: 'null' }, undefined, /^403 /],
    ['from a page of another site, as the browser says', { 'sec-fetch-site': 'same-site' }, undefined, /^403 /],
    ['by a request that a form can send', { 'content-type': 'text/plain' }, undefined, /^415 /],
    ['through a name that others made to mean this machine', { host: 'evil.example' }, undefined, /^421 /],
    ['by something else than a digest', {}, { digest: 'all' }, /^400 /],
    ['with an unknown key', {}, { digest, force: true }, /^400 /],
    ['by something else than JSON', {}, 'digest', /^400 /],
    ['by a body of any length', { 'content-length': undefined, 'transfer-encoding': 'chunked' }, undefined, /^411 /],
    ['by a long body', {}, 'x'.repeat(20_000), /^413 /],
  ])('%s', async (_, headers, body, expected) => {
    const { post, approvals } = await serve();
    expect(await post(headers, body)).toMatch(expected);
    expect(approvals).toEqual([]);
  });

  test('by GET, with a cookie, by a preflight request, or on another path', async () => {
    const { send, approvals } = await serve();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', cookie: `token=${token}` };
    expect(await send(`/approve?digest=${digest}&token=${token}`, 'GET', headers)).toMatch(/^405 /);
    expect(await send('/approve', 'OPTIONS', { origin: 'https://evil.example' })).toMatch(/^405 /);
    expect(await send('/', 'POST', headers)).toMatch(/^405 /);
    expect(approvals).toEqual([]);
  });

  test('with a token that is too short, or in a file that others can read; the log reports why', async () => {
    const { post, refusals, tokenFile } = await serve();
    writeFileSync(tokenFile, 'short');
    expect(await post({ authorization: 'Bearer short' })).toMatch(/^503 /);
    writeFileSync(tokenFile, token);
    chmodSync(tokenFile, 0o644);
    expect(await post()).toMatch(/^503 /);
    expect(refusals).toEqual([
      expect.stringContaining('must contain one token of at least 32 characters'),
      expect.stringContaining('can be read by every user'),
    ]);
  });
});

test('after five wrong tokens none is compared for a minute', async () => {
  const { post, pass, refusals } = await serve();
  for (let tries = 0; tries < 5; tries++) expect(await post({ authorization: 'Bearer guess' })).toMatch(/^401 /);
  expect(await post()).toMatch(/^429 /);
  expect(refusals).toHaveLength(5);
  expect(refusals[0]).toBe('an approval from 127.0.0.1 had a wrong token');
  pass(60_000);
  expect(await post()).toBe('202 approved');
});

test('the record names the user that the trusted proxy names, and nobody else can name one', async () => {
  const named = { 'x-forwarded-user': 'ada@example.com' };
  const header = 'X-Forwarded-User';
  const trusting = await serve({ header, proxy: '127.0.0.1' });
  await trusting.post(named);
  await trusting.post({});
  expect(await trusting.post({ 'x-forwarded-user': ['mallory', 'ada'] })).toMatch(/^400 /);
  const other = await serve({ header, proxy: '10.0.0.7' });
  await other.post(named);
  expect([...trusting.approvals, ...other.approvals].map(({ by }) => by)).toEqual([
    'ada@example.com',
    'user with the approval token',
    'user with the approval token',
  ]);
});
