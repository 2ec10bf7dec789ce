import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { planJsonSchema } from '../../src/render/plan/plan-json-schema.ts';
import { company, sluice, stack, stackFile } from '../cli/terminal.ts';

const env = { SLUICE_API_KEY: 'k3y-of-the-company', HOOK_SECRET: 'canary-of-the-hook' };
const secretly = `${company}    - {name: hooks, match_type: path_prefix, match: /hooks, backend: {backend_id: bkd_1}, webhook_verification: {provider: github, secret: {from_env: HOOK_SECRET}}}
`;

/** A service of its own, and a stack of it. */
async function served(
  manifests = company,
  profile: 'completed' | 'documented' = 'completed',
): Promise<{ readonly dir: string; readonly emulator: ReturnType<typeof createEmulator> }> {
  const emulator = createEmulator({ profile, secrets: 'masked' });
  const listening = await emulator.listen();
  onTestFinished(() => listening.close());
  const file = stackFile.replace('embedded', `"${listening.url}", profile: ${profile}`);
  return { dir: await stack(manifests, file), emulator };
}

describe('plan --verify', () => {
  test.each(['completed', 'documented'] as const)(
    'under %s asks the service no more than plan does',
    async (profile) => {
      const { dir, emulator } = await served(secretly, profile);
      await sluice(dir, 'plan', { env });
      const asked = emulator.log.map(({ method, path }) => `${method} ${path}`);
      const { out, code } = await sluice(dir, 'plan --verify', { env });
      expect(code).toBe(0);
      expect(out.split('\n')).toContain('verified: converges in one apply, 4 API requests');
      expect(emulator.log.slice(asked.length).map(({ method, path }) => `${method} ${path}`)).toEqual(asked);
    },
  );

  test('reports what it takes for granted: secrets that are not shown, ids of other families, what was not looked at', async () => {
    const { dir } = await served(secretly);
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), secretly.replace('Sensors', 'Probes'));
    const { out, code } = await sluice(dir, 'plan --verify', { env });
    expect(code).toBe(0);
    expect(out).toContain(
      'verified: converges in one apply, 1 API request\n    assumed, not verified: the value of 1 secret that the service does not return; the existence of 1 id outside this API\n',
    );
    expect(out).not.toContain('canary');
  });

  test('leaves state, files and the account kept beside the stack as they are', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('Sensors', 'Probes'));
    const kept = async () =>
      Promise.all(['state', 'emulator'].map((name) => readFile(join(dir, `.sluice/${name}.json`))));
    const before = await kept();
    expect((await sluice(dir, 'plan --verify', { env })).code).toBe(0);
    expect(await kept()).toEqual(before);
  });

  test('ends with 1 where apply would refuse the plan, in every format, until that is allowed', async () => {
    const dir = await stack(company, `${stackFile}policy: {block: [LOSES_ADDRESS]}\n`);
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), company.slice(company.indexOf('---')));
    const { out, code } = await sluice(dir, 'plan --verify --detailed-exitcode', { env });
    expect(code).toBe(1);
    const refused = 'sluice apply would refuse the change: LOSES_ADDRESS requires --allow';
    expect(out).toContain(`verification failed: 1 change would fail\n    ReservedAddr/mqtt: ${refused}`);
    const json = await sluice(dir, 'plan --verify --format json', { env });
    expect(planJsonSchema.parse(JSON.parse(json.out)).verification).toMatchObject({
      converges: false,
      failures: [{ address: 'ReservedAddr/mqtt', message: expect.stringContaining(refused) as string }],
      remaining_changes: [],
    });
    const comment = await sluice(dir, 'plan --verify --format markdown', { env });
    expect([comment.code, comment.out.split('\n')[6]]).toEqual([1, '**verification failed: 1 change would fail**']);
    expect((await sluice(dir, 'plan --verify --allow LOSES_ADDRESS', { env })).code).toBe(0);
  });
});
