import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { Clock } from '../../src/api/clock.ts';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';
import { outcomeJsonSchema } from '../../src/render/outcome/outcome-json-schema.ts';
import { planJsonSchema } from '../../src/render/plan/plan-json-schema.ts';
import { sluice, stack, stackFile } from './terminal.ts';

const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu}
`;

/** Waiting takes no time here. */
const impatient: Clock = { now: () => 0, sleep: () => Promise.resolve(), random: () => 0.5 };

const edge = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443]}
`;

interface Reverted {
  readonly dir: string;
  readonly emulator: Emulator;
  readonly env: Readonly<Record<string, string>>;
}

interface Setup {
  readonly edgeEndpoints: 'hidden' | 'shown';
  readonly kept: string;
}

/** A stack whose edge was created without an answer, and then taken out of the manifests again. */
async function reverted({ edgeEndpoints = 'hidden', kept = address }: Partial<Setup> = {}): Promise<Reverted> {
  const emulator = createEmulator({ profile: 'documented', edgeEndpoints, hostports: 'shared' });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const dir = await stack(kept, stackFile.replace('api: {', 'api: {profile: documented, '));
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
  expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
  await writeFile(join(dir, 'manifests/company.yaml'), `${kept}---\n${edge}`);
  const withdraw = emulator.intercept(deathAfter('POST', '/edges/https'));
  expect((await sluice(dir, 'apply --auto-approve', { env, clock: impatient })).code).toBe(6);
  withdraw();
  await writeFile(join(dir, 'manifests/company.yaml'), kept);
  return { dir, emulator, env };
}

/** Nothing is answered any more from the first of such requests on, which is carried out. */
function deathAfter(method: string, path: string): Interceptor {
  const broken = { status: 200, headers: {}, body: '', broken: { how: 'reset' } } as const;
  let isDead = false;
  return async (exchange, next) => {
    if (isDead) return broken;
    if (exchange.method !== method || exchange.path !== path) return next();
    isDead = true;
    await next();
    return broken;
  };
}

const edges = (emulator: Emulator): string[] =>
  emulator.snapshot().resources.flatMap(({ kind, id }) => (kind === 'HTTPSEdge' ? [id] : []));

describe('a creation whose response was lost, and that no list shows', () => {
  test('is reported first by every plan and is pending, also without its manifest', async () => {
    const { dir, env } = await reverted();
    for (let run = 0; run < 2; run++) {
      const { code, out } = await sluice(dir, 'plan --detailed-exitcode', { env });
      expect(code).toBe(2);
      expect(out.split('\n')[0]).toMatch(/^\? HTTPSEdge\/shop/);
      expect(out).toContain('sluice state resolve HTTPSEdge/shop --id ID');
      expect(out.trimEnd().split('\n').at(-1)).toMatch(/^1 unresolved creation. No changes. 1 resource in sync/);
    }
    const { out: json } = await sluice(dir, 'plan --format json', { env });
    const plan = planJsonSchema.parse(JSON.parse(json));
    expect(plan).toMatchObject({
      unresolved_creations: [{ address: 'HTTPSEdge/shop', type: 'HTTPSEdge' }],
      summary: { unresolved_creations: 1 },
    });
    const { out: comment } = await sluice(dir, 'plan --format markdown', { env });
    expect(comment).toMatch(/\*\*1 unresolved creation. No changes[^]*`HTTPSEdge\/shop`[^]*sluice state resolve/);
  });

  test('ends apply and destroy as done in part, once the rest is carried out', async () => {
    const { dir, emulator, env } = await reverted();
    const applied = await sluice(dir, 'apply --auto-approve --format json', { env });
    expect(applied.code).toBe(6);
    const { outcome } = JSON.parse(applied.out) as { outcome: unknown };
    expect(outcomeJsonSchema.parse(outcome)).toMatchObject({
      exit_code: 6,
      unresolved_creations: [{ address: 'HTTPSEdge/shop' }],
    });
    for (let run = 0; run < 2; run++) {
      const { code, out } = await sluice(dir, 'destroy --auto-approve', { env });
      expect(code).toBe(6);
      expect(out).toMatch(/unresolved: HTTPSEdge\/shop[^]*sluice state resolve/);
    }
    expect(emulator.snapshot().resources.map(({ kind }) => kind)).toEqual(['HTTPSEdge']);
    const comment = await sluice(dir, 'destroy --auto-approve --format markdown', { env });
    expect(comment.out).toMatch(/unresolved[^]*`HTTPSEdge\/shop`/);
  });

  test.each([
    ['the id of what is there', (id: string) => `--id ${id}`, '1 to delete', 0],
    ['that nothing is there', () => '--absent', 'No changes', 1],
  ])('is resolved by %s', async (_, flag, summary, left) => {
    const { dir, emulator, env } = await reverted();
    const [id = ''] = edges(emulator);
    expect(await sluice(dir, `state resolve HTTPSEdge/shop ${flag(id)}`, { env })).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'plan', { env })).out).toContain(summary);
    expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    expect(edges(emulator)).toHaveLength(left);
    expect(await sluice(dir, 'plan --detailed-exitcode', { env })).toMatchObject({ code: 0 });
  });

  test('outlives a state that is rebuilt', async () => {
    const { dir, env } = await reverted();
    expect(await sluice(dir, 'state rebuild', { env })).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(2);
  });
});

describe('a creation whose response was lost, and that the service shows', () => {
  test('is found without its manifest, deleted, and remembered no longer', async () => {
    const { dir, emulator, env } = await reverted({ edgeEndpoints: 'shown' });
    expect(edges(emulator)).toHaveLength(1);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).out).toContain('1 to delete');
    expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    expect(edges(emulator)).toEqual([]);
    expect((await sluice(dir, 'state list', { env })).out).not.toContain('HTTPSEdge');
  });

  test('also where nothing else names its kind', async () => {
    const { dir, emulator, env } = await reverted({ edgeEndpoints: 'shown' });
    await rm(join(dir, 'manifests/company.yaml'));
    await writeFile(join(dir, 'manifests/empty.yaml'), '# nothing\n');
    expect(await sluice(dir, 'destroy --auto-approve', { env })).toMatchObject({ code: 0 });
    expect(edges(emulator)).toEqual([]);
    expect((await sluice(dir, 'state list', { env })).out).toBe('The state is empty.\n');
  });

  test('and where it turns out that nothing was made, it is remembered no longer', async () => {
    const { dir, emulator, env } = await reverted({
      edgeEndpoints: 'shown',
      kept: `${address}---\n${edge.replace(/shop/g, 'other')}`,
    });
    const { spec, id } = emulator.snapshot().resources.findLast(({ kind }) => kind === 'HTTPSEdge') ?? {
      id: '',
      spec: {},
    };
    expect(JSON.stringify(spec)).toContain('shop.example.com');
    const headers = { authorization: 'Bearer right', 'example-version': '2' };
    await fetch(`${env['SLUICE_BASE_URL'] ?? ''}/edges/https/${id}`, { method: 'DELETE', headers });
    expect(edges(emulator)).toHaveLength(1);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
    expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
    expect((await sluice(dir, 'state list', { env })).out).not.toContain('HTTPSEdge/shop');
  });
});
