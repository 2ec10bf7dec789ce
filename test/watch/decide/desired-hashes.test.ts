import { expect, test } from 'vitest';
import { Secret } from '../../../src/kinds/value.ts';
import type { Desired } from '../../../src/model/resource.ts';
import { DesiredHashes } from '../../../src/watch/decide/desired-hashes.ts';

const place = { file: 'a.yaml', line: 1, col: 1 };
const wanted = (name: string, spec: Desired['spec']): Desired => ({
  address: `ReservedAddr/${name}`,
  kind: 'ReservedAddr',
  labels: {},
  lifecycle: {},
  spec,
  place,
  placeOf: () => place,
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
  wants.read({ resources, diagnostics: [], whole: true }, digest);
  expect(slowly).toEqual(['s3cret']);
  expect(wants.of('ReservedAddr/secret')).not.toContain('s3cret');
});

test('what is wanted anew is touched until it stands so, and what is new to it is not', () => {
  const wants = new DesiredHashes();
  const read = (description: string): void =>
    wants.read({ resources: [wanted('mqtt', { description })], diagnostics: [], whole: true }, (text) => text);
  const isTouched = (): boolean => wants.isTouched('ReservedAddr/mqtt');
  read('one');
  expect(isTouched()).toBe(false);
  read('two');
  expect(isTouched()).toBe(true);
  wants.stands('ReservedAddr/mqtt');
  expect(isTouched()).toBe(false);
  wants.read({ resources: [], diagnostics: [], whole: true }, (text) => text);
  expect(wants.of('ReservedAddr/mqtt')).toBeUndefined();
});
