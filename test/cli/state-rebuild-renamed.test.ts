import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shopEdge } from '../support/shop-edge.ts';
import { applied, documented, write } from './owned-edge.ts';
import { sluice, stackFile } from './terminal.ts';

interface KeptEntry {
  readonly id: string;
  readonly protect: boolean;
  readonly unverifiedSecrets?: readonly string[];
}

async function entriesOf(dir: string): Promise<Readonly<Record<string, KeptEntry>>> {
  const { entries } = JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
    entries: Record<string, KeptEntry>;
  };
  return entries;
}

const forget = (dir: string): Promise<void> => rm(join(dir, '.sluice/state.json'));

const signed = (text: string): string =>
  text.replace(
    '{backend_id: b_pub}',
    '{backend_id: b_pub}, webhook_verification: {provider: github, secret: {from_env: HOOK}}',
  );

const env = { HOOK: 'canary-of-a-hook', SLUICE_API_KEY: 'key' };

const profiles = [
  ['where markers of edges are updated', stackFile],
  ['where markers of edges are never updated', documented],
] as const;

describe.each(profiles)('state rebuild of a lost state, %s', (_, file) => {
  test('knows by the new manifest what a resource that has not been renamed yet is', async () => {
    const dir = await applied(file, shopEdge('web'));
    await write(dir, signed(shopEdge('web', 'protect: true')));
    expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    await forget(dir);
    await sluice(dir, 'state rebuild', { env });
    const before = await entriesOf(dir);
    await write(dir, signed(shopEdge('web2', 'moved_from: HTTPSEdge/web, protect: true')));
    await forget(dir);
    expect(await sluice(dir, 'state rebuild', { env })).toMatchObject({ code: 0 });
    expect(await entriesOf(dir)).toEqual(before);
    expect(before['HTTPSEdgeRoute/web:root']).toHaveProperty('unverifiedSecrets');
    expect((await sluice(dir, 'plan', { env })).out).not.toContain('secret changed');
  });

  test('has a resource once whose id is given for another address than its marker names', async () => {
    const dir = await applied(file, shopEdge('web'), shopEdge('web2', 'moved_from: HTTPSEdge/web, protect: true'));
    const { id = '' } = (await entriesOf(dir))['HTTPSEdge/web2'] ?? {};
    for (const address of ['HTTPSEdge/web2', 'HTTPSEdge/web']) {
      await forget(dir);
      expect(await sluice(dir, `state rebuild --id ${address}=${id}`)).toMatchObject({ code: 0 });
      const found = Object.entries(await entriesOf(dir)).filter(([, entry]) => entry.id === id);
      expect(found.map(([at, { protect }]) => [at, protect])).toEqual([[address, true]]);
      const { out } = await sluice(dir, 'plan');
      expect(out).not.toMatch(/to (create|delete)/);
    }
  });

  test('finds by their markers resources whose former addresses are too long to stand there', async () => {
    const [one, two] = ['w', 'v'].map((letter) => `${letter}${'x'.repeat(61)}`) as [string, string];
    const long = (name: string, lifecycle = ''): string =>
      shopEdge(name, lifecycle).replace('name: root', `name: ${'r'.repeat(60)}`);
    const dir = await applied(file, long(one));
    const before = await entriesOf(dir);
    await write(dir, long(two, `moved_from: HTTPSEdge/${one}`));
    await forget(dir);
    expect(await sluice(dir, 'state rebuild')).toMatchObject({ code: 0 });
    expect(Object.keys(await entriesOf(dir)).sort()).toEqual(Object.keys(before).sort());
    await forget(dir);
    const { out } = await sluice(dir, 'plan');
    expect(out).not.toMatch(/to (create|delete|forget)/);
  });
});
