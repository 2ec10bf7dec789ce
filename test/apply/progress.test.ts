import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { ApplyEvent } from '../../src/model/outcome.ts';
import { harness } from '../support/harness.ts';

const certificate = `apiVersion: sluice/v1
kind: SSHHostCertificate
metadata: {name: bastion}
lifecycle: {certificate_file: bastion-cert.pub}
spec:
  ssh_certificate_authority_id: sshca_hosts
  public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj bastion
`;
const address = (name: string) => `---
apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
spec: {region: eu}
`;

test('progress counts changes that send a request or write a file, and no others', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': certificate + address('unchanged') });
  walk.files.clear();
  const { plan } = await walk.plan({ 'stack.yaml': certificate + address('unchanged') + address('added') });
  const events: ApplyEvent[] = [];
  await walk.apply(plan, { onEvent: (event) => events.push(event) });
  expect(events).toMatchObject([
    { type: 'finished', outcome: { address: 'SSHHostCertificate/bastion', ending: 'done' }, done: 1, total: 2 },
    { type: 'started', address: 'ReservedAddr/added' },
    { type: 'finished', outcome: { address: 'ReservedAddr/added', ending: 'done' }, done: 2, total: 2 },
  ]);
});

test('progress reports that a creation with an unclear answer is looked up', async () => {
  const walk = harness();
  walk.emulator.intercept(faulty(parseFault('status-after=409@POST:ReservedAddr:1')));
  const { plan } = await walk.plan({ 'stack.yaml': address('devices') });
  const events: ApplyEvent[] = [];
  await walk.apply(plan, { onEvent: (event) => events.push(event) });
  expect(events).toMatchObject([
    { type: 'started' },
    { type: 'waiting', address: 'ReservedAddr/devices', why: expect.stringContaining('409') as string },
    { type: 'finished', outcome: { ending: 'done' } },
  ]);
});

test('an apply gives other work two turns for each change beside its requests: before them, and when it reports how each ended', async () => {
  const walk = harness();
  const names = Array.from({ length: 50 }, (_, n) => `a-${n}`);
  const { plan } = await walk.plan({ 'stack.yaml': names.map(address).join('') });
  let turns = 0;
  await walk.apply(plan, {
    pause: () => {
      turns += 1;
      return undefined;
    },
  });
  expect(turns).toBeGreaterThanOrEqual(2 * names.length);
});
