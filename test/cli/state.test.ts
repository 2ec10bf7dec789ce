import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { newLease } from '../../src/state/lease/lease.ts';
import { leaseText } from '../../src/state/file/lock-heartbeat.ts';
import { acquireLock } from '../../src/state/lock.ts';
import { company, sluice, stack, stackFile } from './terminal.ts';

const secret = `---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: office}
spec:
  hostports: [office.example.com:443]
  routes:
    - {name: hooks, match_type: path_prefix, match: /, backend: {backend_id: bkd_1},
       webhook_verification: {provider: github, secret: {from_env: HOOK}}}
`;

interface Applied {
  readonly dir: string;
  readonly emulator: Emulator;
  readonly env: Readonly<Record<string, string>>;
  readonly state: string;
}

/** The company, applied. */
async function applied(manifests = company): Promise<Applied> {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const dir = await stack(manifests);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right', HOOK: 'canary-hook-secret' };
  const ended = await sluice(dir, 'apply --auto-approve', { env });
  expect(ended).toMatchObject({ code: 0 });
  return { dir, emulator, env, state: join(dir, '.sluice/state.json') };
}

async function idsIn(path: string): Promise<Record<string, string>> {
  const { entries } = JSON.parse(await readFile(path, 'utf8')) as { entries: Record<string, { id: string }> };
  return Object.fromEntries(Object.entries(entries).map(([address, { id }]) => [address, id]));
}

describe('sluice state', () => {
  test('lists what is remembered, as a table or a document', async () => {
    const { dir, env, state } = await applied();
    const ids = await idsIn(state);
    const { out } = await sluice(dir, 'state list', { env });
    expect(out).toMatch(/^ADDRESS +ID +FLAGS +SOURCE$/m);
    expect(out).toMatch(
      new RegExp(`^ReservedAddr/mqtt +${ids['ReservedAddr/mqtt'] ?? ''} +- +manifests/company.yaml:1$`, 'm'),
    );
    const listed = JSON.parse((await sluice(dir, 'state list -o json', { env })).out) as {
      resources: { id: string }[];
    };
    expect(listed.resources.map(({ id }) => id).sort()).toEqual(Object.values(ids).sort());
  });

  test('of a stack without any is empty', async () => {
    expect((await sluice(await stack(), 'state list')).out).toBe('The state is empty.\n');
  });

  test('shows one resource, without its secrets or what stands for them', async () => {
    const { dir, env, state } = await applied(company + secret);
    const { out } = await sluice(dir, 'state show HTTPSEdgeRoute/office:hooks -o json', { env });
    expect(JSON.parse(out)).toMatchObject({
      address: 'HTTPSEdgeRoute/office:hooks',
      spec: { webhook_verification: { provider: 'github', secret: { sensitive: true } } },
    });
    const all = (await sluice(dir, 'state show', { env })).out;
    expect(all).toContain('HTTPSEdgeRoute/office:hooks');
    expect(await readFile(state, 'utf8')).toContain('scrypt-');
    for (const text of [out, all]) expect(text).not.toMatch(/scrypt-|canary|salt/);
  });

  test('reports what was probably meant', async () => {
    const { dir, env } = await applied();
    const ended = await sluice(dir, 'state show ReservedAddr/mqt', { env });
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('did you mean ReservedAddr/mqtt?');
  });
});

describe('sluice state forget', () => {
  test('drops one resource, which the next plan finds again by its marker', async () => {
    const { dir, env, state } = await applied();
    const { 'ReservedAddr/mqtt': id = '', ...rest } = await idsIn(state);
    const ended = await sluice(dir, 'state forget ReservedAddr/mqtt', { env });
    expect(ended.out).toContain(`Removed ReservedAddr/mqtt (${id}) from the state`);
    expect(await idsIn(state)).toEqual(rest);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
    expect(ended.out).toContain(
      'To stop managing the resource, set `lifecycle: {on_remove: retain}` in the manifest of the resource',
    );
  });

  test('is not the way to keep resources of a stack whose state is to be removed', async () => {
    const { dir, env } = await applied();
    const { code, err } = await sluice(dir, 'state remove --auto-approve', { env });
    expect(code).toBe(3);
    expect(err).toContain('first run `sluice destroy`; to keep a resource in the account, first set `lifecycle:');
    expect(err).not.toContain('state forget');
  });

  test.each(['forget', 'delete'])('is not all that sluice %s leads to', async (word) => {
    const { err } = await sluice(await stack(), word);
    expect(err).toContain('on_remove: retain');
  });

  test('waits its turn like any run that writes', async () => {
    const { dir, env } = await applied();
    const lock = await acquireLock(join(dir, '.sluice/lock'), 'sluice apply');
    expect((await sluice(dir, 'state forget ReservedAddr/mqtt', { env })).code).toBe(5);
    await lock.release();
  });
});

describe('sluice state rebuild', () => {
  test.each([
    ['is gone', (path: string) => rm(path)],
    ['cannot be read', (path: string) => writeFile(path, '{"format":')],
  ])('remembers the same resources when the state %s, and nothing is left to do', async (_, damage) => {
    const { dir, env, state } = await applied(company + secret);
    const before = await idsIn(state);
    await damage(state);
    const ended = await sluice(dir, 'state rebuild', { env });
    expect(ended).toMatchObject({ code: 0 });
    expect(await idsIn(state)).toEqual(before);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
  });

  test('keeps a state that cannot be read beside the new one', async () => {
    const { dir, env, state } = await applied();
    const damaged = (await readFile(state, 'utf8')).slice(1, -9);
    await writeFile(state, damaged);
    const { err } = await sluice(dir, 'state rebuild', { env });
    const [kept = ''] = /\S+\.unreadable-\S+/.exec(err) ?? [];
    expect(await readFile(kept, 'utf8')).toBe(damaged);
  });

  test('moves nothing that was never a state', async () => {
    const { dir, env } = await applied();
    await appendFile(join(dir, 'sluice.yaml'), 'state: { path: notes.md }\n');
    await writeFile(join(dir, 'notes.md'), '# Notes\n');
    const ended = await sluice(dir, 'state rebuild', { env });
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('notes.md is not a sluice state file') as string,
    });
    expect(await readFile(join(dir, 'notes.md'), 'utf8')).toBe('# Notes\n');
  });

  test.each(['.git/config', 'sub/.GIT/state.json', 'link/state.json'])('has nothing to do with %s', async (path) => {
    const { dir, env } = await applied();
    await mkdir(join(dir, '.git'));
    await symlink('.git', join(dir, 'link'));
    await appendFile(join(dir, 'sluice.yaml'), `state: { path: ${path} }\n`);
    const refused = { code: 8, err: expect.stringContaining('is inside a .git directory') as string };
    for (const command of ['state rebuild', 'plan', 'apply --auto-approve'])
      expect(await sluice(dir, command, { env })).toMatchObject(refused);
    expect(await readdir(join(dir, '.git'))).toEqual([]);
  });

  test('takes from a person what markers cannot tell, and checks it', async () => {
    const { dir, env, state } = await applied();
    const made = await fetch(`${env['SLUICE_BASE_URL'] ?? ''}/reserved_addrs`, {
      method: 'POST',
      headers: { authorization: 'Bearer right', 'example-version': '2', 'content-type': 'application/json' },
      body: JSON.stringify({ region: 'us' }),
    });
    const { id } = (await made.json()) as { id: string };
    const rebuilt = await sluice(dir, `state rebuild --id ReservedAddr/other=${id}`, { env });
    expect(rebuilt).toMatchObject({ code: 0 });
    expect((await idsIn(state))['ReservedAddr/other']).toBe(id);
    const before = await readFile(state, 'utf8');
    const wrong = await sluice(dir, 'state rebuild --id ReservedAddr/mqtt=ra_missing', { env });
    expect(wrong).toMatchObject({ code: 3 });
    expect(await readFile(state, 'utf8')).toBe(before);
    expect((await sluice(dir, 'state rebuild --id mqtt=1', { env })).code).toBe(8);
  });
});

describe('sluice state resolve', () => {
  const edge =
    'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [shop.example.com:443]}\n';

  /** An edge whose creation was not answered, on a service that shows no edges. */
  async function unheard(): Promise<Omit<Applied, 'state'>> {
    const emulator = createEmulator({ profile: 'documented', edgeEndpoints: 'hidden', hostports: 'shared' });
    const { url, close } = await emulator.listen();
    onTestFinished(close);
    const end = emulator.intercept(faulty(parseFault('reset-after@POST:HTTPSEdge:1')));
    const dir = await stack(edge, stackFile.replace('api: {', 'api: {profile: documented, '));
    const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
    for (let run = 0; run < 2; run++) {
      const { code, out } = await sluice(dir, 'apply --auto-approve', { env });
      expect(code).toBe(6);
      expect(out).toContain(
        'if it exists, run `sluice state resolve HTTPSEdge/shop --id ID`; if not, run `sluice state resolve HTTPSEdge/shop --absent`',
      );
    }
    end();
    return { dir, emulator, env };
  }

  const edges = (emulator: Emulator): string[] =>
    emulator.snapshot().resources.flatMap(({ kind, id }) => (kind === 'HTTPSEdge' ? [id] : []));

  test('takes the id of what is there, and it is not made again', async () => {
    const { dir, emulator, env } = await unheard();
    expect((await sluice(dir, 'state list', { env })).out).toContain(
      'resolve each with `sluice state resolve ADDRESS`',
    );
    const [id = ''] = edges(emulator);
    expect(await sluice(dir, `state resolve HTTPSEdge/shop --id ${id}`, { env })).toMatchObject({ code: 0 });
    expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    expect(await sluice(dir, 'plan --detailed-exitcode', { env })).toMatchObject({ code: 0 });
    expect(edges(emulator)).toEqual([id]);
  });

  test('or that nothing is there, and the next apply makes it', async () => {
    const { dir, emulator, env } = await unheard();
    expect(await sluice(dir, 'state resolve HTTPSEdge/shop --absent', { env })).toMatchObject({ code: 0 });
    expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    expect(edges(emulator)).toHaveLength(2);
  });

  test('and neither without one of the two, nor of what nobody waits for, nor with an id that is not there', async () => {
    const { dir, env } = await unheard();
    expect((await sluice(dir, 'state resolve HTTPSEdge/shop', { env })).code).toBe(8);
    expect((await sluice(dir, 'state resolve HTTPSEdge/other --absent', { env })).code).toBe(8);
    const wrong = await sluice(dir, 'state resolve HTTPSEdge/shop --id edghts_missing', { env });
    expect(wrong.code).not.toBe(0);
    expect(wrong.err).toContain('edghts_missing');
    expect((await sluice(dir, 'state list', { env })).out).toContain('HTTPSEdge/shop');
  });
});

describe('sluice state lock', () => {
  test('shows who holds the lock, and whether that process still runs', async () => {
    const { dir, env } = await applied();
    const path = join(dir, '.sluice/lock');
    await writeFile(path, leaseText(newLease('sluice apply', new Date('2026-01-01T00:00:00Z'))));
    const shown = await sluice(dir, 'state lock', { env });
    expect(shown.out).toMatch(/^The state is locked by `sluice apply` of .* since 2026-01-01T00:00:00.000Z\)\.\n$/);
    await writeFile(path, leaseText({ ...newLease('sluice apply', new Date()), processStart: '1' }));
    expect((await sluice(dir, 'state lock', { env })).out).toContain(
      'That process has ended: the next run takes the lock over.\n',
    );
    expect(JSON.parse((await sluice(dir, 'state lock --format json', { env })).out)).toMatchObject({
      locked: true,
      holder_has_ended: true,
    });
  });
});

describe('sluice state unlock', () => {
  test('shows who holds the lock, and removes it on request', async () => {
    const { dir, env } = await applied();
    const path = join(dir, '.sluice/lock');
    await writeFile(path, leaseText({ ...newLease('sluice apply', new Date('2026-01-01T00:00:00Z')), owner: 'robin' }));
    expect((await sluice(dir, 'state unlock', { env })).code).toBe(8);
    const ended = await sluice(dir, 'state unlock --yes', { env });
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.out).toMatch(/The lock was held by `sluice apply` of robin on .* since 2026-01-01/);
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
    expect((await sluice(dir, 'state unlock', { env })).out).toBe('The state is not locked.\n');
  });

  test('asks on a terminal, and leaves all as it is without a yes', async () => {
    const { dir, env } = await applied();
    const lock = await acquireLock(join(dir, '.sluice/lock'), 'sluice apply');
    const terminal = { in: true, out: true, err: true, columns: 80 };
    const no = await sluice(dir, 'state unlock', { env, terminal, ask: () => Promise.resolve('n') });
    expect([no.code, lock.isMine()]).toEqual([1, true]);
    const yes = await sluice(dir, 'state unlock', { env, terminal, ask: () => Promise.resolve('yes') });
    expect([yes.code, lock.isMine()]).toEqual([0, false]);
  });
});
