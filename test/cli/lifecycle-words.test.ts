import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { company, sluice, stack, stackFile } from './terminal.ts';

const manifest = 'manifests/company.yaml';
const documented = stackFile.replace('vendor: example', 'vendor: example, profile: documented');

describe('what was given up', () => {
  const kept = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
lifecycle: {on_remove: retain}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: front, lifecycle: {on_remove: retain}, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
`;

  test('does not come back where its marker stays, with state and without', async () => {
    const dir = await stack(kept, documented);
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, manifest), '# nothing any more\n');
    const forgotten = await sluice(dir, 'apply --auto-approve --allow-empty');
    expect(forgotten.out).toContain('Applied: 2 forgotten; 0 API requests.');
    expect((await sluice(dir, 'plan --allow-empty')).out).toMatch(/^No changes\./);

    await rm(join(dir, '.sluice/state.json'));
    const again = await sluice(dir, 'apply --auto-approve --allow-empty');
    expect(again.out).not.toContain('- HTTPSEdge');
    expect(again.out).toContain('Applied: 2 forgotten; 0 API requests.');
    expect((await sluice(dir, 'plan --allow-empty')).out).toMatch(/^No changes\./);
    expect((await sluice(dir, 'get https-edge')).out).toContain('shop.example.com:443');
  });

  test('stays given up although only state knew that it was to stay', async () => {
    const dir = await stack(kept.replaceAll('on_remove: retain', 'on_remove: delete'), documented);
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, manifest), kept);
    const reported = await sluice(dir, 'apply --auto-approve');
    expect(reported.err).toContain(
      'only the state records that the resource stays in the account when its manifest is removed',
    );
    await writeFile(join(dir, manifest), '# nothing any more\n');
    expect((await sluice(dir, 'apply --auto-approve --allow-empty')).out).toContain('Applied: 2 forgotten');
    expect((await sluice(dir, 'plan --allow-empty')).out).toMatch(/^No changes\./);
  });

  test('can be taken back by its id', async () => {
    const dir = await stack(kept, documented);
    await sluice(dir, 'apply --auto-approve');
    const [id = ''] = /edghts_\w+/.exec((await sluice(dir, 'get https-edge')).out) ?? [];
    await writeFile(join(dir, manifest), '# nothing any more\n');
    await sluice(dir, 'apply --auto-approve --allow-empty');
    await writeFile(
      join(dir, manifest),
      kept.replace(/ {2}routes:[^]*/, '').replace('on_remove: retain', `adopt: ${id}`),
    );
    const taken = await sluice(dir, 'apply --auto-approve');
    expect(taken.out).toContain('1 adopted');
    expect((await sluice(dir, 'plan --detailed-exitcode')).code).toBe(0);
  });
});

describe('a stack that is called something else', () => {
  test.each(['completed', 'documented'])('keeps what is its own by --rename-from (%s)', async (profile) => {
    const file = stackFile.replace('vendor: example', `vendor: example, profile: ${profile}`);
    const dir = await stack(company, file);
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, 'sluice.yaml'), file.replace('name: company', 'name: firm'));
    if (profile === 'completed') {
      const refused = await sluice(dir, 'plan');
      expect(refused.code).toBe(3);
      expect(refused.err).toContain('if this stack was renamed, run `sluice apply --rename-from company` first');
      // What is advised is an option of apply, whichever command has refused.
      expect((await sluice(dir, 'state rebuild')).err).toContain('run `sluice apply --rename-from company` first');
    }

    const planned = await sluice(dir, 'plan --rename-from company --out renamed.plan');
    expect(planned.out).not.toMatch(/to (create|delete|replace)/);
    expect(planned.out).toContain('the ownership marker gets the stack name firm');
    expect((await sluice(dir, 'apply renamed.plan')).code).toBe(0);
    expect((await sluice(dir, 'plan')).out).toMatch(/^No changes\./);
  });

  test('a copied stack gets an id of its own, and with it nothing of the other', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    await rename(join(dir, '.sluice/state.json'), join(dir, 'old-state.json'));
    expect((await sluice(dir, 'init --new-id')).code).toBe(0);
    const { out, err } = await sluice(dir, 'plan');
    expect(`${out}${err}`).toContain('ALREADY_EXISTS_UNMANAGED');
    expect(await readFile(join(dir, 'sluice.yaml'), 'utf8')).not.toContain('5c1e7a90');
  });
});

describe('where a resource stands', () => {
  test('is no reason to write, and is written along with what is', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve');
    const state = () => readFile(join(dir, '.sluice/state.json'), 'utf8');
    const before = await state();
    await writeFile(join(dir, manifest), `# a line more\n${company}`);
    await sluice(dir, 'apply --auto-approve');
    expect(await state()).toBe(before);

    await writeFile(join(dir, manifest), `# a line more\n${company.replace('Sensors', 'Meters')}`);
    await sluice(dir, 'apply --auto-approve');
    await writeFile(join(dir, manifest), '# a line more\n');
    const { out } = await sluice(dir, 'plan --allow-empty');
    expect(out).toContain('not in the manifests, last defined at manifests/company.yaml:8');
  });

  test('is reported for what went with its whole directory', async () => {
    const dir = await stack();
    await mkdir(join(dir, 'manifests/devices'));
    await writeFile(
      join(dir, 'manifests/devices/mqtt.yaml'),
      'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: coap}\nlifecycle: {protect: false}\nspec: {region: us}\n',
    );
    await sluice(dir, 'apply --auto-approve');
    await rm(join(dir, 'manifests/devices'), { recursive: true });
    const { out } = await sluice(dir, 'plan --format json');
    const { resource_changes } = JSON.parse(out) as { resource_changes: { address: string; last_source?: string }[] };
    expect(resource_changes.find(({ address }) => address === 'ReservedAddr/coap')?.last_source).toBe(
      'manifests/devices/mqtt.yaml:1',
    );
  });
});

describe('the digest of a plan', () => {
  const secretive = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      oidc: {issuer: "https://id.example.com", client_id: shop, client_secret: {from_env: CLIENT_SECRET}}
`;
  const digest = async (dir: string, secret: string): Promise<string> => {
    const { out } = await sluice(dir, 'plan --format json', { env: { CLIENT_SECRET: secret } });
    return (JSON.parse(out) as { digest: string }).digest;
  };

  test('is the same for the same plan, and another for another secret of 16 characters or more', async () => {
    const dir = await stack(secretive);
    const first = await digest(dir, 'correct horse battery');
    expect(await digest(dir, 'correct horse battery')).toBe(first);
    expect(await digest(await stack(secretive), 'correct horse battery')).toBe(first);
    expect(await digest(dir, 'battery staple correct')).not.toBe(first);
  });
});

describe('a rate limit', () => {
  test('makes the plan say how long it takes', async () => {
    const dir = await stack(company, stackFile.replace('vendor: example', 'vendor: example, rate_limit: 120/60s'));
    expect((await sluice(dir, 'plan')).out).toContain('3 to create; 3 API requests, about 2 s at this rate limit.');
    expect((await sluice(dir, 'plan --format json')).out).toContain('"estimated_seconds": 2');
  });
});
