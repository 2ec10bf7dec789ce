import { expect, test } from 'vitest';
import { cloneAccount } from '../../../src/stack/service/clone-account.ts';
import { harness } from '../../support/harness.ts';

const manifest = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      oidc: {issuer: "https://id.example.com", client_id: app, client_secret: s3cret-of-the-tests}
`;

/** What the copy of an account that shows secrets in a way reports of the secret, and what it assumes. */
async function copied(secrets: 'clear' | 'masked' | 'empty') {
  const real = harness({ service: { secrets } });
  await real.converge({ 'shop.yaml': manifest });
  const { input } = await real.plan({ 'shop.yaml': manifest });
  const { emulator, assumes } = cloneAccount(input);
  const { resources } = emulator.snapshot();
  const of = (kind: string): string => resources.find((one) => one.kind === kind)?.id ?? '';
  const secret = async (method: 'GET' | 'PATCH', body = ''): Promise<string> => {
    const answer = await emulator.handle({
      method,
      path: `/edges/https/${of('HTTPSEdge')}/routes/${of('HTTPSEdgeRoute')}`,
      headers: { authorization: 'Bearer copy', 'example-version': '2', 'content-type': 'application/json' },
      body,
    });
    return (JSON.parse(answer.body) as { oidc: { client_secret?: string } }).oidc.client_secret ?? '';
  };
  const shown = await secret('GET');
  const oidc = { issuer: 'https://id.example.com', client_id: 'app', client_secret: 'another-of-the-tests' };
  return { shown, next: await secret('PATCH', JSON.stringify({ oidc })), assumes };
}

const outside = 'the existence of 1 id outside this API';
const hidden = ['the value of 1 secret that the service does not return', outside];

test('a copy of an account shows secrets as the account was seen to, and reports which values it takes for granted', async () => {
  expect(await copied('clear')).toEqual({
    shown: 's3cret-of-the-tests',
    next: 'another-of-the-tests',
    assumes: [outside],
  });
  const masked = await copied('masked');
  const mask = expect.stringMatching(/^\*+$/) as string;
  expect(masked).toEqual({ shown: mask, next: mask, assumes: hidden });
  expect(await copied('empty')).toEqual({ shown: '', next: '', assumes: hidden });
});
