import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rebuiltEntry } from '../../src/cli/commands/state/rebuilt-entry.ts';
import { address, applied, documented, edge as edgeOf, write } from './owned-edge.ts';
import { sluice, stackFile } from './terminal.ts';

/** An edge with a route of the same lifecycle, and an address. */
const edge = (name: string, lifecycle: string, routeLifecycle = lifecycle): string =>
  edgeOf(name, lifecycle, routeLifecycle);

async function stateOf(dir: string): Promise<Record<string, { id: string; protect: boolean; retain: boolean }>> {
  const { entries } = JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
    entries: Record<string, { id: string; protect: boolean; retain: boolean }>;
  };
  return Object.fromEntries(
    Object.entries(entries).map(([at, { id, protect, retain }]) => [at, { id, protect, retain }]),
  );
}

describe('state rebuild of a state that can be read, where markers of edges are never updated', () => {
  test('keeps protection that was added later', async () => {
    const dir = await applied(documented, edge('web', 'protect: false'), edge('web', 'protect: true'));
    await write(dir, address);
    expect(await sluice(dir, 'state rebuild')).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'plan')).out).toContain('BLOCKED PROTECTED');
  });

  test('does not bring back protection that was lifted later', async () => {
    const dir = await applied(documented, edge('web', 'protect: true'), edge('web', 'protect: false'));
    const before = await stateOf(dir);
    await write(dir, address);
    await sluice(dir, 'state rebuild');
    expect(await stateOf(dir)).toEqual(before);
    expect((await sluice(dir, 'plan')).out).toContain('2 to delete');
  });

  test('keeps what is retained', async () => {
    const dir = await applied(documented, edge('web', 'protect: false'), edge('web', 'on_remove: retain'));
    await write(dir, address);
    await sluice(dir, 'state rebuild');
    expect((await sluice(dir, 'plan')).out).toContain('2 to forget');
  });

  test('keeps a new name, and the ids', async () => {
    const dir = await applied(
      documented,
      edge('web', 'protect: false'),
      edge('web2', 'moved_from: HTTPSEdge/web', 'protect: false'),
    );
    await write(dir, edge('web2', 'protect: false'));
    const before = await stateOf(dir);
    await sluice(dir, 'state rebuild');
    expect(await stateOf(dir)).toEqual(before);
    expect(await sluice(dir, 'plan --detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('does not take back what was released, unless its id is given', async () => {
    const dir = await applied(documented, edge('web', 'on_remove: retain'));
    const { 'HTTPSEdge/web': web } = await stateOf(dir);
    await write(dir, address);
    await sluice(dir, 'apply --auto-approve');
    await sluice(dir, 'state rebuild');
    expect(Object.keys(await stateOf(dir))).toEqual(['ReservedAddr/x']);
    expect((await sluice(dir, 'plan')).out).toMatch(/^No changes\./);

    await sluice(dir, `state rebuild --id HTTPSEdge/web=${web?.id ?? ''}`);
    expect(await stateOf(dir)).toHaveProperty('HTTPSEdge/web');
    const planned = await sluice(dir, 'plan');
    expect(planned.out).not.toContain('no longer in the account');
    expect(planned.out).toContain('HTTPSEdge/web');
  });

  test('finds an edge that no endpoint shows', async () => {
    const quiet = edge('web', 'protect: false').replace('hostports: [shop.example.com:443]', 'hostports: []');
    const dir = await applied(documented, quiet);
    const before = await stateOf(dir);
    await sluice(dir, 'state rebuild');
    expect(await stateOf(dir)).toEqual(before);
  });

  test('finds by its marker what this state does not have, and all of it without a state', async () => {
    const dir = await applied(documented, edge('web', 'protect: false'));
    const before = await stateOf(dir);
    await sluice(dir, 'state forget HTTPSEdge/web');
    await write(dir, address);
    await sluice(dir, 'state rebuild');
    expect(await stateOf(dir)).toEqual(before);
    await rm(join(dir, '.sluice/state.json'));
    await sluice(dir, 'state rebuild');
    expect(await stateOf(dir)).toEqual(before);
  });
});

test('state rebuild takes from markers that are updated what they say, under the other profile', async () => {
  const dir = await applied(
    stackFile,
    edge('web', 'protect: false'),
    edge('web2', 'moved_from: HTTPSEdge/web', 'protect: true'),
  );
  const before = await stateOf(dir);
  const path = join(dir, '.sluice/state.json');
  await sluice(dir, 'state rebuild');
  expect(await stateOf(dir)).toEqual(before);
  expect(await readFile(path, 'utf8')).toContain('HTTPSEdge/web2');
});

test('what an entry of the same resource says of unfinished changes is kept, and nothing of another one', () => {
  const marker = { s: 'company/5c1e7a90', a: 'HTTPSEdge/web', p: 'p', n: 'n2' };
  const actual = { kind: 'HTTPSEdge', id: 'edghts_2', spec: {}, computed: {}, marker };
  const kept = { protect: false, retain: true, formerNonces: ['n1'], adopting: true as const };
  const before = { kind: 'HTTPSEdge', id: 'edghts_2', spec: {}, ...kept };
  expect(rebuiltEntry(actual, undefined, before, ['edghts_1'], String)).toMatchObject({
    ...kept,
    nonce: 'n2',
    deposed: ['edghts_1'],
  });
  const other = rebuiltEntry(actual, undefined, { ...before, id: 'edghts_0' }, [], String);
  expect(other).toMatchObject({ protect: true, retain: false });
  expect(other).not.toHaveProperty('formerNonces');
});
