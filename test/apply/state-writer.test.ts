import { describe, expect, test } from 'vitest';
import { createStateWriter } from '../../src/apply/state-writer.ts';
import type { StateChange } from '../../src/model/state-change.ts';
import type { Entry, LastAccess, State } from '../../src/model/state.ts';
import { emptyState } from '../../src/state/store.ts';

const entry = (more: Partial<Entry> = {}): Entry => ({
  kind: 'ReservedAddr',
  id: 'ra_1',
  spec: {},
  protect: false,
  retain: false,
  ...more,
});
const devices = 'ReservedAddr/devices';
const access = (text: string) => text as unknown as LastAccess;

/** A writer, and the changes that it has made durable. */
function writing(state: Partial<State> = {}) {
  const recorded: StateChange[] = [];
  const writer = createStateWriter({ ...emptyState('7f3a9c21', 'embedded'), ...state }, (change) =>
    Promise.resolve(void recorded.push(change)),
  );
  return { writer, recorded };
}

describe('changes', () => {
  test('that are made together are recorded together', async () => {
    const { writer, recorded } = writing();
    writer.put('ReservedAddr/a', entry({ id: 'ra_a' }));
    writer.put('ReservedAddr/b', entry({ id: 'ra_b' }));
    await writer.flush();
    expect(recorded.map(({ entries }) => Object.keys(entries))).toEqual([['ReservedAddr/a', 'ReservedAddr/b']]);
  });

  test('that change nothing are not recorded', async () => {
    const applied = { commit: 'c0ffee', manifests: 'sha256:1' };
    const { writer, recorded } = writing({ entries: { [devices]: entry() }, applied });
    writer.put(devices, entry());
    writer.drop('ReservedAddr/none');
    writer.withdrawIntent(devices);
    writer.putApplied(applied);
    await writer.rememberAccess({});
    await writer.flush();
    expect(recorded).toEqual([]);
  });

  test('that cannot be recorded are a failure from then on', async () => {
    const writer = createStateWriter(emptyState('7f3a9c21', 'embedded'), () => Promise.reject(new Error('disk full')));
    expect(writer.failure()).toBeUndefined();
    writer.put(devices, entry());
    expect(await writer.flush()).toEqual(new Error('disk full'));
    expect(writer.failure()).toEqual(new Error('disk full'));
  });
});

describe('a creation that was intended', () => {
  const intents = { [devices]: { kind: 'ReservedAddr', nonces: ['one', 'two'] } };

  test('has come to its end once its resource is there: its other nonces stay known as ours', async () => {
    const { writer, recorded } = writing({ intents });
    writer.put(devices, entry({ nonce: 'two' }));
    await writer.flush();
    expect(writer.intent(devices)).toBeUndefined();
    expect(recorded).toMatchObject([
      { intents: { [devices]: null }, entries: { [devices]: { formerNonces: ['one'] } } },
    ]);
  });

  test('is still open while what is remembered is the same resource as before', () => {
    const { writer } = writing({ intents, entries: { [devices]: entry() } });
    writer.put(devices, entry({ protect: true }));
    expect(writer.intent(devices)).toEqual(intents[devices]);
    expect(writer.entry(devices)).not.toHaveProperty('formerNonces');
  });

  test('and did not happen adds its nonces to what has its address, each once and the last twenty', () => {
    const formerNonces = ['one', ...Array.from({ length: 20 }, (_, n) => `old-${n}`)];
    const { writer } = writing({ intents, entries: { [devices]: entry({ formerNonces }) } });
    writer.dropIntent(devices);
    const kept = writer.entry(devices)?.formerNonces ?? [];
    expect(kept).toHaveLength(20);
    expect(kept.at(-1)).toBe('two');
    expect(kept).not.toContain('one');
  });

  test('again and again, by runs that learn no outcome, and by replacements, has its last twenty nonces', async () => {
    const nonces = Array.from({ length: 30 }, (_, n) => `nonce-${n}`);
    const { writer, recorded } = writing();
    await writer.putIntent(devices, { kind: 'ReservedAddr', nonces });
    expect(recorded).toMatchObject([{ intents: { [devices]: { nonces: nonces.slice(-20) } } }]);
    writer.put(devices, entry({ nonce: 'new', formerNonces: nonces }));
    expect(writer.entry(devices)?.formerNonces).toEqual(nonces.slice(-20));
  });

  test('and did not happen leaves nothing where nothing has its address', () => {
    const { writer } = writing({ intents });
    writer.dropIntent(devices);
    expect([writer.intent(devices), writer.entry(devices)]).toEqual([undefined, undefined]);
  });
});

describe('what is given up', () => {
  test('is remembered once, and no longer as a resource of the stack', async () => {
    const { writer, recorded } = writing({ entries: { [devices]: entry() } });
    writer.putForgotten('ra_1', { kind: 'ReservedAddr', address: devices });
    await writer.flush();
    writer.putForgotten('ra_1', { kind: 'ReservedAddr', address: devices });
    await writer.flush();
    expect(recorded).toMatchObject([{ entries: { [devices]: null }, forgotten: { ra_1: { address: devices } } }]);
  });

  test('is so no longer once it is taken over again', async () => {
    const { writer, recorded } = writing({ forgotten: { ra_1: { kind: 'ReservedAddr', address: devices } } });
    writer.put(devices, entry());
    await writer.flush();
    expect(recorded).toMatchObject([{ forgotten: { ra_1: null } }]);
  });
});

describe('what requests had to satisfy', () => {
  test('is recorded when it changes, and not again when it stays', async () => {
    const { writer, recorded } = writing();
    await writer.rememberAccess({ 'a.example.com': access('one') });
    await writer.rememberAccess({ 'a.example.com': access('one') });
    await writer.rememberAccess({ 'a.example.com': null });
    await writer.rememberAccess({ 'a.example.com': null });
    expect(recorded.map(({ lastAccess }) => lastAccess)).toEqual([
      { 'a.example.com': 'one' },
      { 'a.example.com': null },
    ]);
  });

  test('is kept for 5,000 hosts: the oldest goes when one more comes, and what is forgotten makes room', async () => {
    const hosts = Array.from({ length: 5000 }, (_, n) => `host-${n}.example.com`);
    const { writer, recorded } = writing({ lastAccess: Object.fromEntries(hosts.map((host) => [host, access('x')])) });
    await writer.rememberAccess({ 'host-1.example.com': null });
    await writer.rememberAccess({ 'new.example.com': access('x') });
    await writer.rememberAccess({ 'newer.example.com': access('x') });
    expect(recorded.map(({ lastAccess }) => lastAccess)).toEqual([
      { 'host-1.example.com': null },
      { 'new.example.com': 'x' },
      { 'newer.example.com': 'x', 'host-0.example.com': null },
    ]);
  });
});

describe('a value from outside', () => {
  const value = { kind: 'ReservedAddr', field: 'description', secret: 'digest', from_env: 'NOTE' } as const;

  test('is recorded before a request may send it, once', async () => {
    const { writer, recorded } = writing();
    await writer.putExternalValues([value]);
    await writer.putExternalValues([value]);
    await writer.putExternalValues([]);
    expect(recorded.map(({ externalValues }) => externalValues)).toEqual([[value]]);
  });

  test('is recorded with the resource that has it', async () => {
    const { writer, recorded } = writing();
    writer.put(devices, entry({ spec: { description: { secret: 'digest', from_env: 'NOTE' } } }));
    await writer.flush();
    expect(recorded.flatMap(({ externalValues = [] }) => externalValues)).toEqual([value]);
  });

  test('that cannot be recorded is not sent: whoever waits for it learns why', async () => {
    const full = new Error('disk full');
    const writer = createStateWriter(emptyState('7f3a9c21', 'embedded'), () => Promise.reject(full));
    await expect(writer.putExternalValues([value])).rejects.toBe(full);
    await expect(writer.putExternalValues([value])).rejects.toBe(full);
  });
});

test('a revision is recorded once, and again after another change', async () => {
  const applied = { commit: 'c0ffee', manifests: 'sha256:1' };
  const { writer, recorded } = writing();
  writer.putApplied(applied);
  await writer.flush();
  writer.putApplied({ ...applied });
  await writer.flush();
  expect(recorded).toMatchObject([{ applied }]);
  writer.put(devices, entry());
  await writer.flush();
  expect(recorded[1]).not.toHaveProperty('applied');
  writer.putApplied(applied);
  await writer.flush();
  expect(recorded[2]).toMatchObject({ applied });
});

test('an intent is recorded, and withdrawn once', async () => {
  const intent = { kind: 'ReservedAddr', nonces: ['one'] };
  const { writer, recorded } = writing();
  await writer.putIntent(devices, intent);
  expect(writer.intent(devices)).toEqual(intent);
  writer.withdrawIntent(devices);
  await writer.flush();
  writer.withdrawIntent(devices);
  writer.dropIntent(devices);
  await writer.flush();
  expect(recorded.map(({ intents }) => intents)).toEqual([{ [devices]: intent }, { [devices]: null }]);
});
