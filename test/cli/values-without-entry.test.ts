import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { hastyClock } from '../attack/hasty-clock.ts';
import { directory, sluice, stackFile } from './terminal.ts';

const address = (description: string, metadata = '') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, description: ${description}${metadata}}
`;
const fromOutside = address('{from_env: NOTE}', ', metadata: plain');

async function world(text: string) {
  const emulator = createEmulator({ apiKey: 'key', seed: 1 });
  const dir = await directory({ 'sluice.yaml': stackFile, 'manifests/a.yaml': text });
  const env = { SLUICE_API_KEY: 'key', SLUICE_BASE_URL: 'http://127.0.0.1:1', NOTE: 'canary of the note' };
  const io = { network: emulator.dispatcher(), clock: hastyClock(), env };
  const write = (other: string): Promise<void> => writeFile(join(dir, 'manifests/a.yaml'), other);
  return { emulator, dir, write, run: (line: string) => sluice(dir, line, io) };
}

async function expectMasked({ dir, run }: Pick<Awaited<ReturnType<typeof world>>, 'dir' | 'run'>): Promise<void> {
  for (const line of ['plan', 'plan --format json', 'get ReservedAddr -o yaml', 'state rebuild', 'export --all']) {
    const { code, out, err } = await run(line);
    expect(`${line}: ${out}${err}`).not.toContain('canary');
    expect(code).not.toBe(1);
    if (line === 'export --all') expect(out).toContain('description: {from_env: NOTE}');
  }
  expect(await readFile(join(dir, '.sluice/state.json'), 'utf8')).not.toContain('canary');
}

test('a value from outside stays masked after a creation under another id was resolved as not there', async () => {
  const { emulator, dir, write, run } = await world(fromOutside);
  const recover = emulator.intercept(async ({ method }, go) => {
    const answer = await go();
    return method === 'POST' ? { ...answer, body: answer.body.replace(/"id":"[^"]*"/, '"id":"../x"') } : answer;
  });
  expect(await run('apply --auto-approve')).toMatchObject({ code: 6 });
  recover();
  expect(await run('state resolve ReservedAddr/mqtt --absent')).toMatchObject({ code: 0 });
  await write(address('Sensors'));
  await expectMasked({ dir, run });
});

test('a value from outside stays masked after the service gave its resource the id of another', async () => {
  const { emulator, dir, write, run } = await world(fromOutside);
  const recover = emulator.intercept(async ({ method }, go) => {
    const answer = await go();
    return method === 'POST' ? { ...answer, body: answer.body.replace(/"id":"[^"]*"/, '"id":"ra_other"') } : answer;
  });
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  recover();
  await write(address('Sensors'));
  await expectMasked({ dir, run });
});

test('a value from outside stays masked after the service kept what it said it deleted', async () => {
  const { emulator, dir, write, run } = await world(fromOutside);
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  emulator.intercept(({ method }, go) =>
    method === 'DELETE' ? Promise.resolve({ status: 204, headers: {}, body: '' }) : go(),
  );
  expect(await run('destroy --auto-approve')).toMatchObject({ code: 0 });
  await write(address('Sensors'));
  await expectMasked({ dir, run });
});

test('a value from outside is masked after the response to its update was lost', async () => {
  const { emulator, dir, write, run } = await world(address('Sensors'));
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  await write(address('{from_env: NOTE}'));
  let isLost = false;
  const recover = emulator.intercept(async ({ method }, go) => {
    const answer = isLost ? { status: 404, headers: {}, body: '' } : await go();
    isLost ||= method === 'PATCH';
    return isLost ? { status: 500, headers: {}, body: '' } : answer;
  });
  expect((await run('apply --auto-approve')).code).not.toBe(0);
  recover();
  await write(address('Sensors'));
  await expectMasked({ dir, run });
});

test('a text that equals no value from outside is shown', async () => {
  const { write, run } = await world(fromOutside);
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  await write(address('Sensors'));
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect((await run('export')).out).toContain('description: Sensors');
});
