import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as printable from '../../src/manifest/read/is-printable.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { hastyClock } from '../attack/hasty-clock.ts';
import { directory, sluice, stackFile } from './terminal.ts';

const manifest = (description: string, more = '') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, description: ${description}${more}}
`;

async function stack(text: string, files: Record<string, string> = {}) {
  const { url, close } = await createEmulator({ apiKey: 'key', seed: 1 }).listen();
  onTestFinished(close);
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/a.yaml': text, ...files });
  return { dir, env: { SLUICE_API_KEY: 'key', SLUICE_BASE_URL: url } };
}

describe('a value from outside', () => {
  test('is shown by its origin, before and after, also when the manifest writes another one out', async () => {
    const { dir, env } = await stack(manifest('{from_env: NOTE}'));
    const first = await sluice(dir, 'plan', { env: { ...env, NOTE: 'canary one' } });
    expect(first.out).toContain('description: (from env NOTE)\n');
    expect((await sluice(dir, 'apply --auto-approve', { env: { ...env, NOTE: 'canary one' } })).code).toBe(0);
    const changed = await sluice(dir, 'plan', { env: { ...env, NOTE: 'canary two' } });
    expect(changed.out).toContain('description: (from env NOTE) -> (from env NOTE, changed)  (manifest changed)');
    await writeFile(join(dir, 'manifests/a.yaml'), manifest('Sensors'));
    const literal = await sluice(dir, 'plan', { env });
    expect(literal.out).toContain('description: (from env NOTE) -> Sensors  (manifest changed)');
    const json = await sluice(dir, 'plan --format json', { env });
    expect(json.out).toContain('"sensitive": true,\n');
    expect(json.out).toContain('"from_env": "NOTE"');
  });

  test('counts in a printed digest by its origin while it is short, and by a digest of its own when it is long', async () => {
    const { dir, env } = await stack(manifest('{from_env: NOTE}'));
    const digestOf = async (NOTE: string): Promise<unknown> => {
      const { out } = await sluice(dir, 'plan --format json', { env: { ...env, NOTE } });
      return (JSON.parse(out) as { digest: string }).digest;
    };
    expect(await digestOf('short one')).toBe(await digestOf('another short'));
    expect(await digestOf('one that is long enough')).not.toBe(await digestOf('another that is long too'));
  });

  test('counts in digests as if it were masked, also where it is printed', async () => {
    const { dir, env } = await stack(manifest('{from_env: SLUICE_VAR_NOTE}'));
    const digestOf = async (note: string): Promise<unknown> => {
      const { out } = await sluice(dir, 'plan --format json', { env: { ...env, SLUICE_VAR_NOTE: note } });
      return (JSON.parse(out) as { digest: string }).digest;
    };
    const [first, other] = ['one that is long enough', 'another that is long too'];
    const printed = await digestOf(first);
    expect(printed).not.toBe(await digestOf(other));
    expect(await digestOf('short one')).toBe(await digestOf('another short'));
    await sluice(dir, 'apply --auto-approve', { env: { ...env, SLUICE_VAR_NOTE: other } });
    const changed = await digestOf(first);
    vi.spyOn(printable, 'isPrintable').mockReturnValue(false);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await digestOf(first)).toBe(changed);
    await sluice(dir, 'destroy --auto-approve', { env: { ...env, SLUICE_VAR_NOTE: other } });
    expect(await digestOf(first)).toBe(printed);
  });

  test('that is printed is a digest in what a saved plan compares', async () => {
    const { dir, env } = await stack(manifest('{from_env: SLUICE_VAR_NOTE}'));
    const noted = { ...env, SLUICE_VAR_NOTE: 'Sensors' };
    await sluice(dir, 'plan --out approved.plan', { env: noted });
    const { approved } = JSON.parse(await readFile(join(dir, 'approved.plan'), 'utf8')) as { approved: unknown };
    expect(JSON.stringify(approved)).not.toContain('Sensors');
    expect((await sluice(dir, 'show approved.plan', { env: noted })).out).toContain('description: Sensors');
    expect(await sluice(dir, 'apply approved.plan', { env: noted })).toMatchObject({ code: 0 });
  });

  test('that is a file of JSON keeps its last line break in a saved plan', async () => {
    const { dir, env } = await stack(manifest('x', ', metadata: {from_file: ../meta/team.json}'), {
      'meta/team.json': '{"team":"canary"}\n',
    });
    const planned = await sluice(dir, 'plan --requests --out approved.plan', { env });
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.out).toContain('"metadata":"(from file meta/team.json)"');
    expect(await sluice(dir, 'apply approved.plan', { env })).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
  });

  test('is masked in endpoints, which repeat the metadata of their edge', async () => {
    const edge = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: ['shop.example.com:443'], metadata: {from_env: NOTE}}
`;
    const { dir, env } = await stack(edge);
    const noted = { ...env, NOTE: 'canary of the edge' };
    expect(await sluice(dir, 'apply --auto-approve', { env: noted })).toMatchObject({ code: 0 });
    const { out } = await sluice(dir, 'endpoints list', { env });
    expect(out).toMatch(/ \(from env NOTE\)$/m);
    const [id = ''] = /ep_\w+/.exec(out) ?? [];
    for (const line of ['endpoints list --format json', `endpoints get ${id}`, `endpoints get ${id} --format yaml`])
      expect((await sluice(dir, line, { env })).out).toMatch(/metadata\W+\(from env NOTE\)/);
  });

  test.each([
    ['recognised by its marker', manifest('{from_env: NOTE}')],
    ['without a marker', manifest('{from_env: NOTE}', ', metadata: plain')],
  ])('is masked in what a creation made whose response was lost, %s', async (_, text) => {
    const emulator = createEmulator({ apiKey: 'key', seed: 1 });
    let isLost = false;
    const recover = emulator.intercept(async ({ method }, go) => {
      const answer = isLost ? { status: 404, headers: {}, body: '' } : await go();
      isLost ||= method === 'POST';
      return isLost ? { status: 500, headers: {}, body: '' } : answer;
    });
    const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/a.yaml': text });
    const env = { SLUICE_API_KEY: 'key', SLUICE_BASE_URL: 'http://127.0.0.1:1', NOTE: 'canary of the note' };
    const io = { network: emulator.dispatcher(), clock: hastyClock(), env };
    expect(await sluice(dir, 'apply --auto-approve', io)).toMatchObject({ code: 6 });
    recover();
    await writeFile(join(dir, 'manifests/a.yaml'), text.replace('{from_env: NOTE}', 'Sensors'));
    const lines = ['plan', 'plan --format json', 'export', 'export --all', 'get ReservedAddr -o yaml', 'state rebuild'];
    for (const line of lines) {
      const { code, out, err } = await sluice(dir, line, io);
      expect(`${line}: ${out}${err}`).not.toContain('canary');
      expect(code).not.toBe(1);
    }
  });

  test('is refused where a field identifies something', async () => {
    const region = manifest('x').replace('region: eu', 'region: {from_env: REGION}');
    const { dir, env } = await stack(region);
    const refused = await sluice(dir, 'plan', { env: { ...env, REGION: 'eu' } });
    expect(refused.code).toBe(8);
    expect(refused.err).toContain('error[EXTERNAL_VALUE_NOT_ALLOWED] manifests/a.yaml:5:8');
    await writeFile(join(dir, 'manifests/a.yaml'), region.replace('REGION', 'SLUICE_VAR_REGION'));
    expect((await sluice(dir, 'plan', { env: { ...env, SLUICE_VAR_REGION: 'eu' } })).out).toContain('region: eu');
  });
});

test('the state file is no source of values, wherever `state.path` puts it', async () => {
  const dir = await directory({
    'sluice.yaml': `${stackFile}state: {path: keep.json}\n`,
    'manifests/a.yaml':
      'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nspec: {description: {from_file: ../keep.json}}\n',
    'keep.json': '{}',
  });
  const { code, out, err } = await sluice(dir, 'validate');
  expect([code, out + err]).toEqual([8, expect.stringContaining('PATH_OUTSIDE_STACK')]);
});
