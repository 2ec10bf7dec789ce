import { expect, test } from 'vitest';
import { actualValue, issuedText } from '../../../src/derive/wire/actual-value.ts';
import { agentIngress } from '../../../src/kinds/agent-ingress.ts';
import { sshHostCertificate } from '../../../src/kinds/ssh-host-certificate.ts';

test.each([
  ['id', 'agin_1'],
  ['domain', 'agents.example.com'],
  ['status.renews_at', '2027-01-01T00:00:00Z'],
  ['both', 'what the service decides'],
  ['description', undefined],
  ['ports', undefined],
  ['none', undefined],
])('the text that a resource has in %s: %s', (field, value) => {
  const spec = { domain: 'agents.example.com', description: '', both: 'what is written', ports: [1] };
  const computed = { status: { renews_at: '2027-01-01T00:00:00Z' }, both: 'what the service decides' };
  expect(actualValue({ kind: 'AgentIngress', id: 'agin_1', spec, computed }, field)).toBe(value);
});

test.each([
  [
    'what was issued, with one line break at its end',
    sshHostCertificate,
    { certificate: ' ssh-cert \n\n' },
    'ssh-cert\n',
  ],
  ['nothing where white space was issued', sshHostCertificate, { certificate: ' \n' }, undefined],
  ['nothing where nothing was issued', sshHostCertificate, {}, undefined],
  ['nothing where no response came', sshHostCertificate, undefined, undefined],
  ['nothing for a kind that issues nothing', agentIngress, { certificate: 'ssh-cert' }, undefined],
])('the file of an issued certificate contains %s', (_, kind, computed, content) => {
  expect(issuedText(kind, computed)).toBe(content);
});
