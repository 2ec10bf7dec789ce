/* What only an entry of the state tells of a run that did not complete: `state rebuild` keeps it, and `state forget` reports it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { knownToStateAlone } from '../../src/cli/commands/state/known-to-state.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { readDocument } from '../../src/state/document.ts';
import { writeDocument } from '../support/write-document.ts';
import { emptyState } from '../../src/state/store.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { sluice, stack, stackFile } from './terminal.ts';

const address = (region: string): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: ${region}}
`;

/** A stack that has replaced an address, and could not delete the old one. */
async function halfReplaced() {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
  const dir = await stack(address('eu'), stackFile);
  await sluice(dir, 'apply --auto-approve', { env });
  const first = await readFile(join(dir, '.sluice/state.json'), 'utf8');
  const old = emulator.snapshot().resources[0]?.id ?? '';
  const deleteAgain = emulator.intercept(faulty(parseFault('status-before=400@DELETE:ReservedAddr:0')));
  await writeFile(join(dir, 'manifests/company.yaml'), address('us'));
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 6 });
  deleteAgain();
  const ids = (): string[] => emulator.snapshot().resources.map(({ id }) => id);
  expect(ids()).toHaveLength(2);
  return { dir, env, emulator, old, ids, first };
}

test('state rebuild keeps which of two instances is to be deleted', async () => {
  const { dir, env, old, ids } = await halfReplaced();
  const before = await readFile(join(dir, '.sluice/state.json'), 'utf8');
  expect(await sluice(dir, 'state rebuild', { env })).toMatchObject({ code: 0 });
  const after = await readFile(join(dir, '.sluice/state.json'), 'utf8');
  expect(after).not.toBe(before);
  expect(JSON.parse(after)).toMatchObject({ entries: { 'ReservedAddr/mqtt': { deposed: [old] } } });
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  expect(ids()).toHaveLength(1);
  expect(ids()).not.toContain(old);
});

test('state forget names the instances that are still to be deleted', async () => {
  const { dir, env, old } = await halfReplaced();
  const { out } = await sluice(dir, 'state forget ReservedAddr/mqtt', { env });
  expect(out).toContain(`still to be deleted: delete ${old} in the service`);
});

test('state rebuild keeps an adoption that is not completed, and finds other resources by their markers', () => {
  const entry = { kind: 'ReservedAddr', id: 'ra_1', spec: {}, protect: false, retain: false };
  const adopted = { ...entry, id: 'ra_2', adopting: true as const };
  const state = { ...emptyState('7f3a9c21', ''), entries: { 'ReservedAddr/a': entry, 'ReservedAddr/b': adopted } };
  expect(knownToStateAlone(state, 'completed').entries).toEqual({ 'ReservedAddr/b': adopted });
});

test('state rebuild does not give one resource to two addresses', async () => {
  const { dir, env, old } = await halfReplaced();
  const ended = await sluice(dir, `state rebuild --id ReservedAddr/a=${old} --id ReservedAddr/b=${old}`, { env });
  expect(ended).toMatchObject({ code: 8 });
  expect(ended.err).toContain(`--id names the id ${old} for both ReservedAddr/a and ReservedAddr/b`);
});

test('state rebuild does not take an old instance, which apply deletes, for the resource of an address', async () => {
  const { dir, env, old } = await halfReplaced();
  const ended = await sluice(dir, `state rebuild --id ReservedAddr/a=${old}`, { env });
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.err).toContain(`ReservedAddr ${old} is an old instance of ReservedAddr/mqtt, which apply deletes`);
});

test('state rebuild keeps an address of which only an old instance is left', async () => {
  const { dir, env, old, emulator } = await halfReplaced();
  const current = emulator.snapshot().resources.find(({ id }) => id !== old)?.id ?? '';
  await asSomebody({ emulator }, 'PATCH', `/reserved_addrs/${old}`, { metadata: 'not a marker' });
  await asSomebody({ emulator }, 'DELETE', `/reserved_addrs/${current}`);
  expect(await sluice(dir, 'state rebuild', { env })).toMatchObject({ code: 0 });
  await sluice(dir, 'apply --auto-approve', { env });
  expect(emulator.snapshot().resources.map(({ id }) => id)).not.toContain(old);
});

test('state rebuild knows which instance a killed replacement has created', async () => {
  const { dir, env, old, ids, first } = await halfReplaced();
  const path = join(dir, '.sluice/state.json');
  const { nonce = '' } = readDocument(await readFile(path, 'utf8')).entries['ReservedAddr/mqtt'] ?? {};
  const intents = { 'ReservedAddr/mqtt': { kind: 'ReservedAddr', nonces: [nonce] } };
  await writeFile(path, writeDocument({ ...readDocument(first), intents }, { version: '1', command: 'apply' }));
  expect(await sluice(dir, 'state rebuild', { env })).toMatchObject({ code: 0, err: '' });
  const { entries, intents: left } = readDocument(await readFile(path, 'utf8'));
  expect(entries['ReservedAddr/mqtt']).toMatchObject({ nonce, deposed: [old] });
  expect(left).toBeUndefined();
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  expect(ids()).toEqual([entries['ReservedAddr/mqtt']?.id]);
});

test('state rebuild that gives a resource to another address moves its old instances there too', async () => {
  const { dir, env, old, ids } = await halfReplaced();
  const current = ids().find((id) => id !== old) ?? '';
  expect(await sluice(dir, `state rebuild --id ReservedAddr/other=${current}`, { env })).toMatchObject({ code: 0 });
  const { entries } = readDocument(await readFile(join(dir, '.sluice/state.json'), 'utf8'));
  expect(entries).toEqual({
    'ReservedAddr/other': expect.objectContaining({ id: current, deposed: [old] }) as unknown,
  });
});
