import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sluice, stack, stackFile } from './terminal.ts';

const documented = stackFile.replace('vendor: example', 'vendor: example, profile: documented');

const address = (spec: string) => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {${spec}}
`;
const configured = address('region: eu, endpoint_configuration_id: ec_1');

test.each(['validate', 'plan', 'apply --auto-approve'])(
  '%s refuses a field that the profile does not have, at its line, before anything is written',
  async (command) => {
    const dir = await stack(configured, documented);
    const { code, err } = await sluice(dir, command);
    expect(code).toBe(8);
    expect(err).toContain(
      'error[UNSUPPORTED_CHANGE] manifests/company.yaml:5:20: the API profile documented does not support setting `ReservedAddr.spec.endpoint_configuration_id`',
    );
    expect((await sluice(dir, 'get reserved-addr')).out).toBe('No ReservedAddr exists.\n');
  },
);

test('a field that is null is not set, and takes no request', async () => {
  const dir = await stack(address('region: eu, endpoint_configuration_id: null'), documented);
  expect((await sluice(dir, 'apply --auto-approve')).out).toContain('Applied: 1 created; 1 API request.');
});

test('what another profile has set stays as it is: no plan, update or replacement touches it, and an export omits it', async () => {
  const dir = await stack(configured);
  await sluice(dir, 'apply --auto-approve');
  await writeFile(join(dir, 'sluice.yaml'), documented);
  const manifests = join(dir, 'manifests/company.yaml');
  await writeFile(manifests, address('region: eu'));
  expect((await sluice(dir, 'plan --detailed-exitcode')).out).toBe('No changes. 1 resource in sync.\n');
  await writeFile(manifests, address('region: eu, description: Sensors'));
  const updated = await sluice(dir, 'apply --auto-approve');
  expect(updated.out).toContain('unmanaged: /endpoint_configuration_id (the API profile does not have this field)');
  expect(updated.out).toContain('Applied: 1 updated; 1 API request.');

  const exported = (await sluice(dir, 'export reserved-addr')).out;
  expect(exported).toContain('description: Sensors');
  expect(exported).not.toContain('endpoint_configuration_id');
  await rm(join(dir, '.sluice/state.json'));
  await writeFile(manifests, exported);
  expect((await sluice(dir, 'plan --detailed-exitcode')).out).toBe('No changes. 1 resource in sync.\n');

  await writeFile(manifests, address('region: us'));
  const replaced = await sluice(dir, 'apply --auto-approve');
  expect(replaced).toMatchObject({ code: 0 });
});
