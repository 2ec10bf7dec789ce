import { expect, test } from 'vitest';
import { refreshScope } from '../../../src/stack/plan/refresh-stack.ts';
import { verifyPlan } from '../../../src/stack/plan/simulated-run.ts';
import { cloneAccount } from '../../../src/stack/service/clone-account.ts';
import { partnersCa } from '../../emulator/support/certificates.ts';
import { clientOf } from '../../emulator/support/client.ts';
import { harness, type Harness } from '../../support/harness.ts';

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

const outside = 'whether the resources of 1 referenced id exist: this API cannot read them';
const hidden = ['whether 1 secret has the expected value: the service does not return it', outside];

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

/** Whether a plan was carried out on a copy of the account without leaving anything to do, and what failed. */
async function verified(real: Harness, wanted: Readonly<Record<string, string>>) {
  const { plan, input } = await real.plan(wanted);
  const { desired } = input;
  const scope = refreshScope({ desired, described: desired.resources.map(({ address }) => address) }, {});
  const { converges, failures } = await verifyPlan({ plan, input, scope, clone: cloneAccount(input) });
  return { converges, failures };
}

const done = { converges: true, failures: [] };
const edge = (spec: string) => ({
  'shop.yaml': `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {${spec}}\n`,
});

test('in a copy of an account whose edges share a hostport, edges may share it', async () => {
  const real = harness({ service: { hostports: 'shared' } });
  await real.converge(edge('hostports: [shop.example.com:443]'));
  await clientOf(real.emulator)('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
  expect(await verified(real, edge('description: Shop, hostports: [shop.example.com:443]'))).toEqual(done);
  expect(await verified(real, edge('hostports: [shop.example.com:443, shop.example.net:443]'))).toEqual(done);
});

test('in a copy of an account, a change is not refused for what it leaves as it is', async () => {
  const real = harness();
  const call = clientOf(real.emulator);
  const made = await call('POST', '/certificate_authorities', { ca_pem: partnersCa });
  const id = String(made.body['id']);
  const mutual = `mutual_tls: {certificate_authority_ids: [${id}]}`;
  await real.converge(edge(mutual));
  // A service may delete an authority that is in use.
  const { resources, ...account } = real.emulator.snapshot();
  real.emulator.restore({ ...account, resources: resources.filter((one) => one.id !== id) });
  // Without state every kind is read, so that the authority is known to be gone.
  real.loseState();
  expect(await verified(real, edge(`description: Shop, ${mutual}`))).toEqual(done);
});
