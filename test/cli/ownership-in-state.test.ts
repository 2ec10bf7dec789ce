import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { address, applied, documented, edge, write } from './owned-edge.ts';
import { sluice, stack, stackFile } from './terminal.ts';

/** The same on a service that updates no marker of an edge. */
const appliedThere = (...manifests: readonly string[]): Promise<string> => applied(documented, ...manifests);

async function idsIn(dir: string): Promise<Record<string, string>> {
  const { entries } = JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
    entries: Record<string, { id: string }>;
  };
  return Object.fromEntries(Object.entries(entries).map(([at, { id }]) => [at, id]));
}

describe('a renamed edge whose marker keeps the old name', () => {
  const renamed = (): Promise<string> =>
    appliedThere(
      edge('web', 'protect: false'),
      edge('web', 'protect: true'),
      edge('web2', 'protect: true, moved_from: HTTPSEdge/web'),
    );

  test('stays protected once its manifest is removed', async () => {
    const dir = await renamed();
    await write(dir, address);
    const refused = await sluice(dir, 'apply --auto-approve');
    expect(refused.code).toBe(3);
    expect(refused.out).toContain('BLOCKED PROTECTED');
    expect(refused.out).not.toContain('no longer in the account');
    const destroyed = await sluice(dir, 'destroy --auto-approve');
    expect(destroyed.code).toBe(3);
    expect(destroyed.out).toContain('BLOCKED PROTECTED');
    expect(await idsIn(dir)).toHaveProperty('HTTPSEdge/web2');
  });

  test('keeps its id when it is renamed again', async () => {
    const dir = await renamed();
    const before = await idsIn(dir);
    await write(dir, edge('web3', 'protect: true, moved_from: HTTPSEdge/web2'));
    expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
    const after = await idsIn(dir);
    expect(after['HTTPSEdge/web3']).toBe(before['HTTPSEdge/web2']);
    expect(after['HTTPSEdgeRoute/web3:root']).toBe(before['HTTPSEdgeRoute/web2:root']);
    await write(dir, edge('web3', 'protect: true'));
    expect(await sluice(dir, 'plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('takes back its first name', async () => {
    const dir = await renamed();
    const before = await idsIn(dir);
    await write(dir, edge('web', 'moved_from: HTTPSEdge/web2'));
    expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
    expect((await idsIn(dir))['HTTPSEdge/web']).toBe(before['HTTPSEdge/web2']);
  });

  test('is not taken for a new edge of its old name', async () => {
    const dir = await renamed();
    await write(dir, edge('web', 'protect: false').replace('shop.example.com', 'other.example.com'));
    expect(await sluice(dir, 'plan')).toMatchObject({
      code: 8,
      err: expect.stringContaining('the plan would delete HTTPSEdge/web2 (') as string,
    });
    const web2 = edge('web2', 'protect: true').replace(`---\n${address}`, '');
    await write(dir, `${edge('web', '').replace('shop.example.com', 'other.example.com')}---\n${web2}`);
    expect((await sluice(dir, 'plan')).out).toContain('+ HTTPSEdge/web ');
  });

  test('is exported with the name that it has, and nothing to adopt', async () => {
    const exported = await sluice(await renamed(), 'export');
    expect(exported.out).toContain('name: web2');
    expect(exported.out).not.toMatch(/name: web$/m);
    expect(exported.out).not.toContain('adopt');
  });
});

describe('what only state records', () => {
  const nothing = 'protect: false';

  test.each([
    ['protection', 'protect: true', 'web', '1 to record in state; 0 API requests; 2 unchanged.'],
    ['retention', 'on_remove: retain', 'web', '1 to record in state; 0 API requests; 2 unchanged.'],
    ['a new name', 'moved_from: HTTPSEdge/web', 'web2', '2 to record in state; 0 API requests; 1 unchanged.'],
  ])('%s is a change without a request, and the next plan is empty', async (_what, lifecycle, name, summary) => {
    const dir = await appliedThere(edge('web', nothing));
    await write(dir, edge(name, lifecycle));
    const planned = await sluice(dir, 'plan --detailed-exitcode');
    expect(planned).toMatchObject({ code: 2, out: expect.stringContaining(summary) as string });
    const done = await sluice(dir, 'apply --auto-approve');
    expect(done.out).toMatch(/Applied: [12] recorded in state; 0 API requests/);
    expect(await sluice(dir, 'plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('is shown as what it is, and is part of a saved plan', async () => {
    const dir = await appliedThere(edge('web', nothing));
    await write(dir, edge('web', 'protect: true, on_remove: retain'));
    const planned = await sluice(dir, 'plan --out a.plan');
    expect(planned.out).toMatch(
      /^= HTTPSEdge\/web .*\n {4}the resource is now protected\n {4}the resource stays in the account when its manifest is removed$/m,
    );
    expect(JSON.parse((await sluice(dir, 'plan --format json')).out)).toMatchObject({
      summary: { record: 1, update: 0 },
    });
    expect(await sluice(dir, 'apply a.plan')).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'state list')).out).toMatch(/^HTTPSEdge\/web .* protected,retained /m);
  });

  test('is approved as it is: a saved plan is stale once something else is to be recorded', async () => {
    const dir = await appliedThere(edge('web', nothing));
    await write(dir, edge('web', 'protect: true'));
    await sluice(dir, 'plan --out a.plan');
    await write(dir, edge('web', 'on_remove: retain'));
    await sluice(dir, 'apply --auto-approve');
    const stale = await sluice(dir, 'apply a.plan');
    expect(stale.code).toBe(4);
    expect(stale.err + stale.out).toContain('not-retained');
  });

  test('is not said again by later changes, nor of a marker that is older', async () => {
    const guarded = edge('web', nothing).replace('name: root', 'name: root, lifecycle: {protect: true}');
    const dir = await appliedThere(edge('web', nothing), guarded);
    await write(dir, guarded.replace('b_pub}', 'b_pub}, ip_restriction: {ip_policy_ids: [ip_1]}'));
    const planned = await sluice(dir, 'plan');
    expect(planned.out).toContain('~ HTTPSEdgeRoute/web:root ');
    expect(planned.out + planned.err).not.toMatch(/protect/);
    await write(dir, guarded.replace('match: /,', 'match: /other,'));
    expect((await sluice(dir, 'plan')).out).toMatch(/[±∓] HTTPSEdgeRoute\/web:root (?![^]*protection is enabled)/);
    // The marker says unprotected, as at first; what is lifted is what state has.
    await write(dir, edge('web', nothing));
    expect((await sluice(dir, 'plan')).out).toContain('the resource is no longer protected');
  });

  test('includes a resource that carries no marker at all, under either profile', async () => {
    const dir = await stack('', stackFile);
    const plain = address.replace('description: one', 'description: one, metadata: a text');
    await write(dir, plain);
    await sluice(dir, 'apply --auto-approve');
    await write(dir, plain.replace('protect: false', 'protect: true'));
    const planned = await sluice(dir, 'plan --detailed-exitcode');
    expect(planned.code).toBe(2);
    expect(planned.out + planned.err).toContain('ReservedAddr/x has no ownership marker; only the state records that');
    await sluice(dir, 'apply --auto-approve');
    await write(dir, edge('web', nothing).replace(address, ''));
    expect((await sluice(dir, 'plan')).out).toContain('BLOCKED PROTECTED');
  });
});
