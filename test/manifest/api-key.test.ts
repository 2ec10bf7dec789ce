import { describe, expect, test } from 'vitest';
import { directory, sluice, stackFile } from '../cli/terminal.ts';

const key = 'KanariKeyOfTheService4711';

function manifest(description: string, more = ''): string {
  return `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt${more}}
spec: {region: eu, description: ${description}}
`;
}

async function validated(text: string, env: Record<string, string> = {}) {
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/a.yaml': text });
  return sluice(dir, 'validate', { env: { SLUICE_API_KEY: key, ...env } });
}

describe('the key of the API as a value of a manifest', () => {
  test.each([
    ['written out', manifest(key)],
    ['inside another text', manifest(`the key is ${key}`)],
    ['as a label', manifest('x', `, labels: {team: ${key}}`)],
    ['as the name of a label', manifest('x', `, labels: {${key}: web}`)],
    ['in a later document', `${manifest('x')}---\n${manifest(key, '-2')}`],
    ['with escapes', manifest(`"\\x4b${key.slice(1)}"`)],
  ])('is refused %s, and not shown', async (_, text) => {
    const ended = await validated(text);
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('error[CREDENTIAL_AS_VALUE] manifests/a.yaml:');
    expect(ended.out + ended.err).not.toContain('Kanari');
  });

  test('is not shown where a variable is wrong beside it', async () => {
    const ended = await validated(manifest('x', `, labels: {${key}: web, team: {var: team}}`));
    expect(ended).toMatchObject({ code: 8, err: expect.not.stringContaining('VARIABLE_NOT_ALLOWED') as string });
    expect(ended.out + ended.err).not.toContain('Kanari');
  });

  test('is refused where it has a quote, which is written twice between quotes', async () => {
    const quoted = "Kanari'Key'Of'The'Service";
    expect(await validated(manifest(`'${quoted.replaceAll("'", "''")}'`), { SLUICE_API_KEY: quoted })).toMatchObject({
      code: 8,
    });
  });

  test('is refused where a patch puts it', async () => {
    const patch = `patches:\n  - target: {kind: ReservedAddr, name: mqtt}\n    patch: [{op: replace, path: /spec/description, value: ${key}}]\n`;
    const dir = await directory({ 'sluice.yaml': `${stackFile}${patch}`, 'manifests/a.yaml': manifest('x') });
    const ended = await sluice(dir, 'validate', { env: { SLUICE_API_KEY: key } });
    expect(ended.code).toBe(8);
    expect(ended.out + ended.err).not.toContain('Kanari');
  });

  test('is refused whole where it is short: a part of a text may be so by chance', async () => {
    expect(await validated(manifest('a token ring'), { SLUICE_API_KEY: 'token' })).toMatchObject({ code: 0 });
    expect(await validated(manifest('token'), { SLUICE_API_KEY: 'token' })).toMatchObject({ code: 8 });
  });
});
