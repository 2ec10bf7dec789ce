import { describe, expect, test } from 'vitest';
import { attackersUrl as attacker, hostileNetwork, operatorsUrl as operators } from '../support/hostile-network.ts';
import type { HttpService } from '../support/http-service.ts';
import { company, sluice, stack, stackFile, type Ended } from './terminal.ts';

const key = 'key-of-the-operator-4711';
const fromAttacker = stackFile.replace('base_url: embedded', `base_url: "${attacker}"`);

async function planned(
  env: Record<string, string>,
  file = fromAttacker,
): Promise<{ readonly ended: Ended; readonly attacked: HttpService }> {
  const { network, attackers: attacked } = await hostileNetwork(key);
  const dir = await stack(company, file);
  const ended = await sluice(dir, 'plan', { network, env: { SLUICE_API_KEY: key, ...env } });
  return { ended, attacked };
}

describe('api.base_url of sluice.yaml', () => {
  test('is used by default', async () => {
    const { attacked } = await planned({});
    expect(attacked.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test.each([
    ['is not confirmed in a pipeline', { CI: 'true' }],
    ['differs from SLUICE_BASE_URL', { SLUICE_BASE_URL: operators }],
    ['differs from it in a pipeline', { SLUICE_BASE_URL: operators, CI: '1' }],
    ['differs from it in its path alone', { SLUICE_BASE_URL: `${attacker}/v1` }],
    ['is not confirmed on Azure Pipelines, which do not set CI', { TF_BUILD: 'True' }],
  ])('is refused before the first request where it %s', async (_, env) => {
    const { ended, attacked } = await planned(env);
    expect(attacked.requests).toEqual([]);
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('error[ORIGIN_NOT_TRUSTED] sluice.yaml:4:');
    expect(ended.err).toContain('SLUICE_BASE_URL');
    expect(ended.err).not.toContain('4711');
  });

  test.each([
    ['CI is empty', { CI: '' }],
    ['CI is false', { CI: 'false' }],
    ['SLUICE_BASE_URL says the same', { CI: 'true', SLUICE_BASE_URL: `${attacker}:443/` }],
  ])('is used where %s', async (_, env) => {
    const { attacked } = await planned(env);
    expect(attacked.requests.length).toBeGreaterThan(0);
  });

  test.each(['embedded', 'http://127.0.0.1:1', 'https://localhost:1'])(
    'gives way to SLUICE_BASE_URL where it is this machine: %s',
    async (local) => {
      const { ended, attacked } = await planned(
        { CI: 'true', SLUICE_BASE_URL: operators },
        stackFile.replace('base_url: embedded', `base_url: "${local}"`),
      );
      expect(ended).toMatchObject({ code: 0, err: '' });
      expect(attacked.requests).toEqual([]);
    },
  );

  test('gives way to a service on this machine, so that a stack can be tried out', async () => {
    const { ended, attacked } = await planned({ CI: 'true', SLUICE_BASE_URL: 'embedded' });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(attacked.requests).toEqual([]);
  });

  test.each(['https://127.0.0.1.attacker.example', 'https://api.localhost', 'https://[::ffff:7f00:1]'])(
    'is not taken for this machine by its name alone: %s',
    async (url) => {
      const { ended, attacked } = await planned({ CI: 'true' }, fromAttacker.replace(attacker, url));
      expect(ended.code).toBe(8);
      expect(attacked.requests).toEqual([]);
    },
  );

  test('does not matter to a command that sends nothing', async () => {
    const dir = await stack(company, fromAttacker);
    expect((await sluice(dir, 'validate', { env: { CI: 'true' } })).code).toBe(0);
  });
});
