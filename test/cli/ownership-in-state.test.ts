import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sluice, stack, stackFile } from './terminal.ts';

const documented = stackFile.replace('vendor: example', 'vendor: example, profile: documented');

const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: x}
lifecycle: {protect: false}
spec: {region: eu, description: one}
`;

/** An edge with a route, and an address that others need not care about. */
function edge(name: string, lifecycle: string): string {
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: ${name}}
lifecycle: {${lifecycle}}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: root, match_type: path_prefix, match: /, backend: {backend_id: b_pub}}
---
${address}`;
}

/** A stack on a service that updates no marker of an edge; each of the manifests is applied after the other. */
async function applied(...manifests: readonly string[]): Promise<string> {
  const dir = await stack('', documented);
  for (const text of manifests) {
    await write(dir, text);
    expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
  }
  return dir;
}

function write(dir: string, text: string): Promise<void> {
  return writeFile(join(dir, 'manifests/company.yaml'), text);
}

async function idsIn(dir: string): Promise<Record<string, string>> {
  const { entries } = JSON.parse(await readFile(join(dir, '.sluice/state.json'), 'utf8')) as {
    entries: Record<string, { id: string }>;
  };
  return Object.fromEntries(Object.entries(entries).map(([at, { id }]) => [at, id]));
}

describe('a renamed edge whose marker keeps the old name', () => {
  const renamed = (): Promise<string> =>
    applied(
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
    const planned = await sluice(dir, 'plan');
    expect(planned.out).toContain('+ HTTPSEdge/web ');
    expect(planned.out).toContain('- HTTPSEdge/web2 ');
    expect(planned.out).toContain('BLOCKED PROTECTED');
  });

  test('is exported with the name that it has, and nothing to adopt', async () => {
    const exported = await sluice(await renamed(), 'export');
    expect(exported.out).toContain('name: web2');
    expect(exported.out).not.toMatch(/name: web$/m);
    expect(exported.out).not.toContain('adopt');
  });
});
