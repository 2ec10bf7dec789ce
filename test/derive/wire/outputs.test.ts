import { describe, expect, test } from 'vitest';
import { isSecretAt, outputsOf, primaryOutputs } from '../../../src/derive/wire/outputs.ts';
import { agentIngress } from '../../../src/kinds/agent-ingress.ts';
import { httpsEdgeRoute } from '../../../src/kinds/https-edge-route/index.ts';
import { sshHostCertificate } from '../../../src/kinds/ssh-host-certificate.ts';
import { Secret } from '../../../src/kinds/value.ts';

describe('the outputs of a resource', () => {
  test('are its fields in the order of the kind, what the service decides included', () => {
    const spec = { domain: 'agents.example.com', description: '', certificate_management_policy: { authority: 'ca' } };
    const computed = {
      region_domains: ['us.agents.example.com', 'eu.agents.example.com'],
      certificate_management_status: { renews_at: '2027-01-01T00:00:00Z' },
    };
    const outputs = outputsOf(agentIngress, { kind: 'AgentIngress', id: 'agin_1', spec, computed }, []);
    expect(outputs).toStrictEqual({
      id: 'agin_1',
      domain: 'agents.example.com',
      certificate_management_policy: { authority: 'ca' },
      region_domains: ['eu.agents.example.com', 'us.agents.example.com'],
      certificate_management_status: { renews_at: '2027-01-01T00:00:00Z' },
    });
    expect(Object.keys(outputs).slice(0, 2)).toStrictEqual(['id', 'domain']);
  });

  test('have the URLs of the endpoints that it serves or that are at it, in order, and no others', () => {
    const served = [
      { id: 'ep_1', url: 'https://b.example.com', hostport: '', metadata: '', server: 'agin_1' },
      { id: 'ep_2', url: 'tcp://a.example.com:1', hostport: '', metadata: '', server: 'x', address: 'agin_1' },
      { id: 'ep_3', url: 'https://c.example.com', hostport: '', metadata: '', server: 'agin_2' },
    ];
    const actual = { kind: 'AgentIngress', id: 'agin_1', spec: {}, computed: {} };
    expect(outputsOf(agentIngress, actual, served)).toStrictEqual({
      id: 'agin_1',
      urls: ['https://b.example.com', 'tcp://a.example.com:1'],
    });
  });

  test('name what it lives in, and have no secret, no empty value and nothing that no field describes', () => {
    const spec = {
      description: '',
      websocket_tcp_converter: null,
      oidc: { client_id: 'shop', client_secret: new Secret('hidden'), other: 'x' },
      webhook_verification: { provider: 'example', secret: 'plain' },
      request_headers: { add: { 'X-One': '1', 'X-None': '' } },
      ip_restriction: { ip_policy_ids: [] },
    };
    const actual = { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_1', parent: 'edghts_1', spec, computed: {} };
    expect(outputsOf(httpsEdgeRoute, actual, [])).toStrictEqual({
      id: 'edghtsrt_1',
      parent: 'edghts_1',
      oidc: { client_id: 'shop' },
      webhook_verification: { provider: 'example' },
      request_headers: { add: { 'X-One': '1' } },
      ip_restriction: { ip_policy_ids: [] },
    });
  });

  test('by which others find it are its id, its URLs, where clients connect, and the columns of a list', () => {
    const all = { id: 'agin_1', urls: ['https://a'], domain: 'agents.example.com', description: 'Agents' };
    expect(primaryOutputs(agentIngress, all)).toStrictEqual({
      id: 'agin_1',
      urls: ['https://a'],
      domain: 'agents.example.com',
    });
    expect(primaryOutputs(sshHostCertificate, { id: 'shcrt_1', principals: ['a'], key_type: 'rsa' })).toStrictEqual({
      id: 'shcrt_1',
      principals: ['a'],
    });
  });
});

test.each<[string, boolean]>([
  ['oidc.client_secret', true],
  ['oidc.client_id', false],
  ['oidc', false],
  ['description', false],
  ['constructor', false],
  ['description.client_secret', false],
])('whether %s is a secret of a route: %s', (path, isSecret) => {
  expect(isSecretAt(httpsEdgeRoute.fields, path.split('.'))).toBe(isSecret);
});
