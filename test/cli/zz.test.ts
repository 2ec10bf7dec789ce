import { readdir, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { sluice, stack, stackFile } from './terminal.ts';
const address = (d: string): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, description: ${d}}
`;
test('x', async () => {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
  const dir = await stack(address('a'), stackFile);
  await sluice(dir, 'apply --auto-approve', { env });
  emulator.intercept(faulty(parseFault('status-before=400@PATCH:ReservedAddr:0')));
  await writeFile(join(dir, 'manifests/company.yaml'), address('b'));
  for (let i = 0; i < 3; i++) {
    console.log(await sluice(dir, 'apply --auto-approve', { env }));
    console.log(await readdir(join(dir, '.sluice')), await readdir(join(dir, '.sluice/backups')).catch(() => []));
    console.log(await readFile(join(dir, '.sluice/state.json'), 'utf8'));
  }
});
