import { expect, test } from 'vitest';
import { Secret } from '../../../src/kinds/value.ts';
import type { Desired } from '../../../src/model/resource.ts';
import { atOnce } from '../../../src/model/sliced.ts';
import { DesiredHashes } from '../../../src/watch/decide/desired-hashes.ts';

const place = { file: 'a.yaml', line: 1, col: 1 };
const wanted = (name: string, spec: Desired['spec']): Desired => ({
  address: `ReservedAddr/${name}`,
  kind: 'ReservedAddr',
  labels: {},
  lifecycle: {},
  spec,
  place,
  places: { of: () => place },
});

test('only secrets are digested slowly, and none of them shows', () => {
  const slowly: string[] = [];
  const digest = (text: string): string => {
    slowly.push(text);
    return `digest ${slowly.length}`;
  };
  const wants = new DesiredHashes();
  const plain = Array.from({ length: 1_000 }, (_, n) => wanted(`a${n}`, { description: 'Sensors' }));
  const resources = [...plain, wanted('secret', { description: new Secret('s3cret') })];
  atOnce(wants.update({ resources, diagnostics: [], complete: true }, digest));
  expect(slowly).toEqual(['s3cret']);
  expect(wants.of('ReservedAddr/secret')).not.toContain('s3cret');
});

test('a changed spec counts as changed until it is applied, and a new address does not', () => {
  const wants = new DesiredHashes();
  const update = (description: string): void =>
    atOnce(
      wants.update({ resources: [wanted('mqtt', { description })], diagnostics: [], complete: true }, (text) => text),
    );
  const hasChanged = (): boolean => wants.hasChanged('ReservedAddr/mqtt');
  update('one');
  expect(hasChanged()).toBe(false);
  update('two');
  expect(hasChanged()).toBe(true);
  wants.markApplied('ReservedAddr/mqtt');
  expect(hasChanged()).toBe(false);
  atOnce(wants.update({ resources: [], diagnostics: [], complete: true }, (text) => text));
  expect(wants.of('ReservedAddr/mqtt')).toBeUndefined();
});

test('what was known of an address that is no longer wanted is forgotten', () => {
  const wants = new DesiredHashes();
  const update = (...names: string[]): void =>
    atOnce(
      wants.update(
        { resources: names.map((name) => wanted(name, {})), diagnostics: [], complete: true },
        (text) => text,
      ),
    );
  update('mqtt', 'smtp');
  for (const name of ['mqtt', 'smtp']) wants.markApplied(`ReservedAddr/${name}`);
  update('smtp');
  update('mqtt', 'smtp');
  expect(['mqtt', 'smtp'].map((name) => wants.wasInSync(`ReservedAddr/${name}`))).toEqual([false, true]);
});

test('hashes that could not be made are made again, and the same manifests have the same ones without being read', () => {
  const wants = new DesiredHashes();
  const resources = [wanted('mqtt', { description: new Secret('s3cret') })];
  let digested = 0;
  const digest = (text: string): string => {
    digested += 1;
    if (digested === 1) throw new Error('no digest');
    return text.length.toString();
  };
  const update = (): void => atOnce(wants.update({ resources, diagnostics: [], complete: true }, digest));
  expect(update).toThrow('no digest');
  update();
  update();
  expect(wants.of('ReservedAddr/mqtt')).toBeDefined();
  expect(digested).toBe(2);
});
