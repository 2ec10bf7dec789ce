import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { gitStack } from '../support/git-stack.ts';
import { shopEdge as edge } from '../support/shop-edge.ts';
import { stackFile } from './exported.ts';
import { sluice, type Ended } from './terminal.ts';

const address = (name: string, lifecycle = ''): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nlifecycle: {${lifecycle}}\nspec: {region: eu}\n`;

/** A stack of which each of the manifests was committed and applied in turn. */
async function history(...manifests: readonly string[]) {
  const { url, close } = await createEmulator({ seed: 5 }).listen();
  onTestFinished(close);
  const file = `${stackFile(url, 'completed')}policy: {max_deletes: 100%}\n`;
  const { commit, git, dir } = await gitStack({ 'sluice.yaml': file });
  const run = (args: string): Promise<Ended> => sluice(dir, args, { env: { SLUICE_API_KEY: 'right' } });
  const ids = async (): Promise<readonly string[]> =>
    (await run('state list')).out.split('\n').map((line) => line.split(/ +/, 2).join(' '));
  const states: (readonly string[])[] = [];
  const commits: string[] = [];
  for (const text of manifests) {
    commits.push(commit({ 'manifests/all.yaml': text }));
    expect(await run('apply --auto-approve --allow-empty')).toMatchObject({ code: 0 });
    states.push(await ids());
  }
  return { commits, dir, git, ids, run, states };
}

test.each<[string, string[]]>([
  ['a rename', [edge('a1'), edge('a2', 'moved_from: HTTPSEdge/a1')]],
  [
    'a rename of what is protected',
    [edge('a1', 'protect: true'), edge('a2', 'protect: true, moved_from: HTTPSEdge/a1')],
  ],
  ['a rename whose moved_from is gone', [edge('a1'), edge('a2', 'moved_from: HTTPSEdge/a1'), edge('a2')]],
  ['two renames in turn', [edge('a1'), edge('a2', 'moved_from: HTTPSEdge/a1'), edge('a3', 'moved_from: HTTPSEdge/a2')]],
  [
    'a chain of renames',
    [
      [address('a'), address('b')].join('---\n'),
      [address('b', 'moved_from: ReservedAddr/a'), address('c', 'moved_from: ReservedAddr/b')].join('---\n'),
    ],
  ],
])('rollback across %s keeps the ids, and is recorded as the commit', async (_, manifests) => {
  const { commits, git, ids, run, states } = await history(...manifests);
  const { code, out, err } = await run(`rollback ${commits[0] ?? ''} --auto-approve`);
  expect({ code, err }, out).toEqual({ code: 0, err: expect.not.stringMatching(/warning|Not rolled back/) as string });
  expect(out).toMatch(/Applied: 2 updated;/);
  expect(await ids()).toEqual(states[0]);
  git('checkout', '-q', commits[0] ?? '');
  expect((await run('plan --detailed-exitcode')).code).toBe(0);
  expect((await run('plan --base HEAD')).err).not.toContain('applied last');
});

test('rollback across a rename says what newer commits need', async () => {
  const { commits, run } = await history(address('a'), address('b', 'moved_from: ReservedAddr/a'), address('b'));
  expect((await run(`rollback ${commits[0] ?? ''} --auto-approve`)).err).toContain(
    'ReservedAddr/a: renamed back from ReservedAddr/b. Before you apply a newer commit, set `moved_from: ReservedAddr/a` in the manifest of ReservedAddr/b;',
  );
});

test('after a rollback across a rename, a newer commit without moved_from is refused, and says how to keep the resource', async () => {
  const free = (name: string, lifecycle: string) => address(name, `protect: false, ${lifecycle}`);
  const { commits, dir, ids, run, states } = await history(
    free('a', ''),
    free('b', 'moved_from: ReservedAddr/a'),
    free('b', ''),
  );
  expect((await run(`rollback ${commits[0] ?? ''} --auto-approve`)).code).toBe(0);
  const { code, err } = await run('apply --auto-approve --allow LOSES_ADDRESS');
  expect([code, err]).toEqual([8, expect.stringContaining('error[MOVED_FROM_MISSING]') as string]);
  await writeFile(join(dir, 'manifests/all.yaml'), free('b', 'moved_from: ReservedAddr/a'));
  expect((await run('apply --auto-approve')).code).toBe(0);
  expect(await ids()).toEqual(states[2]);
});

test('rollback does not take a new resource for one that was renamed to its name and deleted', async () => {
  const other = address('x');
  const texts = [
    address('a', 'protect: false'),
    address('b', 'protect: false, moved_from: ReservedAddr/a'),
    '',
    address('b', 'protect: false'),
  ];
  const { commits, run } = await history(...texts.map((text) => [text, other].filter(Boolean).join('---\n')));
  const { out } = await run(`rollback ${commits[0] ?? ''} --auto-approve --allow LOSES_ADDRESS`);
  expect(out).toContain('Applied: 1 created, 1 deleted;');
});

test.each<[string, string[]]>([
  [
    'the earlier name of a renamed resource belongs to another one now',
    [address('a'), address('b', 'moved_from: ReservedAddr/a'), [address('b'), address('a')].join('---\n')],
  ],
  [
    'its latest name belonged to another one then',
    [
      [address('a'), address('b', 'protect: false')].join('---\n'),
      address('a'),
      address('b', 'moved_from: ReservedAddr/a'),
    ],
  ],
])('rollback is refused where %s', async (_, manifests) => {
  const { commits, run } = await history(...manifests);
  const { code, err } = await run(`rollback ${commits[0] ?? ''} --auto-approve`);
  expect(code).toBe(3);
  expect(err).toContain(
    'ReservedAddr/a of that commit was renamed to ReservedAddr/b since then, and one of these addresses belongs to another resource',
  );
});

test('rollback creates what was deleted after its rename', async () => {
  const { commits, run } = await history(
    [edge('a1'), address('x')].join('---\n'),
    [edge('a2', 'moved_from: HTTPSEdge/a1'), address('x')].join('---\n'),
    address('x'),
  );
  const { code, out, err } = await run(`rollback ${commits[0] ?? ''} --auto-approve`);
  expect([code, out]).toEqual([0, expect.stringContaining('Applied: 2 created;')]);
  expect(err).not.toContain('MOVED_FROM');
});

test('rollback across a rename that is in no commit keeps the ids too, because state has the earlier name', async () => {
  const { commits, dir, ids, run, states } = await history(edge('a1', 'protect: true'));
  for (const lifecycle of ['protect: true, moved_from: HTTPSEdge/a1', 'protect: true']) {
    await writeFile(join(dir, 'manifests/all.yaml'), edge('a2', lifecycle));
    expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  }
  expect((await run(`rollback ${commits[0] ?? ''} --auto-approve`)).code).toBe(0);
  expect(await ids()).toEqual(states[0]);
});

test('rollback across renames that are in no commit is refused where it would exchange one resource for another', async () => {
  const { commits, dir, ids, run } = await history([address('a'), address('b', 'protect: false')].join('---\n'));
  for (const [text, flags] of [
    [address('a'), '--allow LOSES_ADDRESS'],
    [address('b', 'moved_from: ReservedAddr/a'), ''],
  ]) {
    await writeFile(join(dir, 'manifests/all.yaml'), text ?? '');
    expect(await run(`apply --auto-approve ${flags ?? ''}`.trim())).toMatchObject({ code: 0 });
  }
  const before = await ids();
  expect(await run(`rollback ${commits[0] ?? ''} --auto-approve`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('ReservedAddr/a of that commit was renamed to ReservedAddr/b since then') as string,
  });
  expect(await ids()).toEqual(before);
});

test('rollback to what another resource replaced says what is in the way of what is protected', async () => {
  const { commits, dir, run } = await history(edge('a1'));
  await writeFile(join(dir, 'manifests/all.yaml'), edge('a2', 'protect: true'));
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  const { code, err } = await run(`rollback ${commits[0] ?? ''} --auto-approve`);
  expect(code).toBe(8);
  expect(err).toContain('shop.example.com:443 is already used by HTTPSEdge/a2, which this plan does not change');
  expect(err).toContain('first change, rename or delete HTTPSEdge/a2, or choose another value');
});
