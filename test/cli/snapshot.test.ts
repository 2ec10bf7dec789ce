import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { planJsonSchema } from '../../src/render/plan/plan-json-schema.ts';
import { company, directory, sluice, stackFile } from './terminal.ts';

const env = { HOOK_SECRET: 'canary-of-the-hook', NOTE: 'canary of the note' };
const secretly = `${company.replace('Sensors', '{from_env: NOTE}')}    - {name: hooks, match_type: path_prefix, match: /hooks, backend: {backend_id: bkd_1}, webhook_verification: {provider: github, secret: {from_env: HOOK_SECRET}}}
`;
const noon = Date.parse('2026-03-02T12:00:00Z');
const hour = 3_600_000;

/** A served account to which the manifests were applied, and a snapshot of it. */
async function snapped(manifests = secretly, secrets: 'clear' | 'masked' | 'empty' = 'masked') {
  const emulator = createEmulator({ apiKey: 'key', seed: 1, secrets });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const file = stackFile.replace('embedded', url);
  const dir = await directory({ 'sluice.yaml': file, 'manifests/a.yaml': manifests });
  const trusted = { ...env, SLUICE_API_KEY: 'key' };
  const apply = await sluice(dir, 'apply --auto-approve', { env: trusted });
  expect(apply.code).toBe(0);
  const taken = await sluice(dir, 'snapshot --out snapshot.json', {
    env: { ...trusted, GITHUB_SHA: 'c0ffee1234567890' },
    now: () => noon,
  });
  expect([taken.err, taken.code]).toEqual(['', 0]);
  const write = (text: string): Promise<void> => writeFile(join(dir, 'manifests/a.yaml'), text);
  // A pull request from a fork has no key, no secrets, and here no network either.
  const plan = (args = '', now = noon + 3 * hour) => {
    return sluice(dir, `plan --snapshot snapshot.json${args}`, { now: () => now });
  };
  return { emulator, dir, url, trusted, write, plan };
}

describe('plan --snapshot', () => {
  test('plans without a key, a secret or a request, and reports how old the snapshot is', async () => {
    const { emulator, plan, write } = await snapped();
    const before = emulator.log.length;
    await write(secretly.replace('match: /,', 'match: /, ip_restriction: {ip_policy_ids: [ipp_1]},'));
    const { out, err, code } = await plan();
    expect([err, out, code]).toEqual([
      '',
      expect.stringContaining('Planned from a snapshot of 2026-03-02T12:00:00Z, 3 h old, commit c0ffee123456:'),
      0,
    ]);
    expect(out).toContain('RESTRICTS_ACCESS');
    expect(out).toContain('1 to update');
    expect(out + err).not.toContain('canary');
    expect(emulator.log.slice(before)).toEqual([]);
  });

  test.each(['clear', 'masked', 'empty'] as const)('never reports that a secret is unchanged (%s)', async (secrets) => {
    const { plan } = await snapped(secretly, secrets);
    const { out } = await plan();
    expect(out).toContain(
      'No changes compared with the snapshot: 4 resources in sync. 2 secrets and values from the environment or files not verified.\n',
    );
    const json = planJsonSchema.parse(JSON.parse((await plan(' --format json')).out));
    expect(json.unverified_secrets).toEqual([
      { address: 'HTTPSEdgeRoute/shop:hooks', field: '/webhook_verification/secret' },
      { address: 'ReservedAddr/mqtt', field: '/description' },
    ]);
    expect(json.not_approvable?.[0]).toEqual({ code: 'FROM_SNAPSHOT', message: 'the plan was made from a snapshot' });
    expect(json.snapshot).toEqual({ taken_at: '2026-03-02T12:00:00.000Z', revision: 'c0ffee1234567890' });
    expect(json).not.toHaveProperty('review_digest');
  });

  test('shows another source of an external value, and a literal in its place, as changes', async () => {
    const { plan, write } = await snapped();
    await write(secretly.replace('{from_env: NOTE}', '{from_env: OTHER}'));
    expect((await plan()).out).toContain('description: (from env NOTE) -> (from env OTHER');
    await write(secretly.replace('{from_env: NOTE}', 'Probes'));
    expect((await plan()).out).toContain('description: (from env NOTE) -> Probes');
  });

  test('warns about a snapshot that is older than 24 hours', async () => {
    const { plan } = await snapped();
    expect((await plan('', noon + 24 * hour)).err).not.toContain('24 hours');
    expect((await plan('', noon + 25 * hour)).err).toContain(
      'warning[SNAPSHOT_OLD]: the snapshot is older than 24 hours; the account may have changed since\n',
    );
  });

  test('reports what somebody else has', async () => {
    const { emulator, dir, trusted, plan, write } = await snapped();
    const theirs = await emulator.handle({
      method: 'POST',
      path: '/edges/https',
      headers: { authorization: 'Bearer key', 'example-version': '2', 'content-type': 'application/json' },
      body: JSON.stringify({ hostports: ['taken.example.com:443'] }),
    });
    await sluice(dir, 'snapshot --out snapshot.json', { env: trusted, now: () => noon });
    await write(secretly.replace('[shop.example.com:443]', '[shop.example.com:443, TAKEN.example.com:443]'));
    const { err, code } = await plan();
    expect([err, code]).toEqual([
      expect.stringContaining('already used by HTTPSEdge (the snapshot does not record the id)'),
      8,
    ]);
    const text = await readFile(join(dir, 'snapshot.json'), 'utf8');
    expect(text).not.toContain('taken.');
    const { id } = JSON.parse(theirs.body) as { id: string };
    expect(text).not.toContain(id);
    await write(
      secretly.concat(`---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: second}
lifecycle: {adopt: ${id}}
spec: {hostports: [taken.example.com:443]}
`),
    );
    const adopting = await plan();
    expect([adopting.err, adopting.code]).toEqual([
      expect.stringContaining(
        `the manifest refers to the unmanaged HTTPSEdge ${id}, which the snapshot does not contain`,
      ),
      8,
    ]);
  });

  test('has what others have of every kind, also of one that no manifest has yet', async () => {
    const { emulator, dir, trusted, plan, write } = await snapped();
    await emulator.handle({
      method: 'POST',
      path: '/agent_ingresses',
      headers: { authorization: 'Bearer key', 'example-version': '2', 'content-type': 'application/json' },
      body: JSON.stringify({ domain: 'agents.example.com' }),
    });
    await sluice(dir, 'snapshot --out snapshot.json', { env: trusted, now: () => noon });
    await write(
      secretly.concat(`---
apiVersion: sluice/v1
kind: AgentIngress
metadata: {name: agents}
spec: {domain: agents.example.com}
`),
    );
    const { err, code } = await plan();
    expect([err, code]).toEqual([
      expect.stringContaining('already used by AgentIngress (the snapshot does not record the id)'),
      8,
    ]);
  });

  test('can be saved and posted, but not applied', async () => {
    const { dir, trusted, plan, write } = await snapped();
    await write(secretly.replace('region: eu', 'region: us'));
    const saved = await plan(' --out plan.json');
    expect(saved.err).toContain(
      'The plan was made from a snapshot: it can be shown and posted as a comment, but not applied.',
    );
    expect((await sluice(dir, 'show plan.json')).out).toContain('Planned from a snapshot');
    const { err, code } = await sluice(dir, 'apply plan.json', { env: trusted });
    expect([err, code]).toEqual([
      'error: the plan was made from a snapshot and cannot be applied\n  run `sluice plan --out plan.json` with access to the account\n',
      3,
    ]);
  });

  test('refuses a snapshot of another stack or service, a damaged one, and flags that need the account', async () => {
    const { dir, plan, url } = await snapped();
    const file = join(dir, 'snapshot.json');
    const text = await readFile(file, 'utf8');
    const ended = async (content: string, args = ''): Promise<string> => {
      await writeFile(file, content);
      const { err, code } = await plan(args);
      return `${String(code)} ${err.split('\n')[0] ?? ''}`;
    };
    expect(await ended(text.slice(0, 500))).toBe('8 error: snapshot.json cannot be used: the file is not valid JSON');
    expect(await ended(text.replace('"eu"', '"us"'))).toBe(
      '8 error: snapshot.json cannot be used: the checksum does not match',
    );
    expect(await ended(text.replace(/"id":"ra_[^"]*","spec":{"d/, '"id":"../x","spec":{"d'))).toMatch(
      /^8 error: snapshot.json cannot be used: the file is not a snapshot that this version of sluice can read: resources\.\d+\.id: not an id/,
    );
    expect(await ended(text, ' --check sha256:' + '0'.repeat(64))).toMatch(/^8 error: --snapshot cannot be combined/);
    await writeFile(join(dir, 'sluice.yaml'), stackFile.replace('embedded', url).replace('5c1e7a90', '5c1e7a91'));
    expect(await ended(text)).toBe(
      '8 error: snapshot.json is a snapshot of the stack company/5c1e7a90, but this command is for the stack company/5c1e7a91',
    );
    await writeFile(join(dir, 'sluice.yaml'), stackFile.replace('embedded', 'https://api.example.com'));
    expect(await ended(text)).toBe(
      `8 error: snapshot.json is a snapshot of the service ${url}, but this command is for the service https://api.example.com`,
    );
  });
});
