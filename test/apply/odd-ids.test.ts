import { describe, expect, test } from 'vitest';
import { maskOf } from '../../src/diagnostics/secret-mask.ts';
import { fromWire } from '../../src/derive/wire/from-wire.ts';
import { kinds } from '../../src/kinds/index.ts';
import { isId } from '../../src/model/id.ts';
import { readDocument } from '../../src/state/document.ts';
import { writeDocument } from '../support/write-document.ts';
import { emptyState } from '../../src/state/store.ts';
import { harness } from '../support/harness.ts';
import { loadText } from '../support/load-text.ts';

const manifest = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {region: eu, description: {from_env: NOTE}}
`;

describe('an id', () => {
  test.each(['ra_2abc', 'A-b.c~d_e', 'x'.repeat(255)])('may be %j', (id) => {
    expect(isId(id)).toBe(true);
  });

  test.each(['', '.', '..', '../x', 'a b', 'a/b', 'a?b', 'a%2Fb', 'ä', 'a\n', 'x'.repeat(256), '{"a":1}'])(
    'is never %j',
    (id) => {
      expect(isId(id)).toBe(false);
    },
  );
});

describe('a service that answers with an odd id', () => {
  const edge = kinds.named('HTTPSEdge')!;
  const authorities = (id: string) => ({ certificate_authorities: [{ id, uri: '' }] });

  test.each([
    ['as its own', { id: 'a b' }],
    ['of another', { id: 'edghts_1', mutual_tls: authorities('../x') }],
  ])('%s is not accepted, and the id is not repeated', (_, answer) => {
    expect(() => fromWire(edge, answer)).toThrow(/is not a valid id/);
    expect(() => fromWire(edge, answer)).not.toThrow(/a b|\.\.\/x/);
  });

  test.each([
    ['what was sent', (body: string) => body],
    ['a value from outside', () => 'hunter2-and-more'],
    ['a text that holds one', () => 'ra_hunter2-and-more_1'],
  ])('that is %s is looked for by its marker instead: nothing of it is kept or shown', async (_, idOf) => {
    const walk = harness();
    let odd = 0;
    walk.emulator.intercept(({ method, body }, next) => {
      const answer = next();
      if (method !== 'POST' || odd > 0) return answer;
      odd += 1;
      return { status: 201, headers: {}, body: JSON.stringify({ ...JSON.parse(body || '{}'), id: idOf(body) }) };
    });
    const env = { NOTE: 'hunter2-and-more' };
    const desired = await loadText({ 'stack.yaml': manifest }, { ...walk, env, inputs: ['stack.yaml'] });
    const outcome = await walk.apply((await walk.plan(desired)).plan);
    expect(odd).toBe(1);
    expect(outcome.changes.map(({ ending }) => ending)).toEqual(['done']);
    const [made] = walk.emulator.snapshot().resources;
    expect(walk.state()?.entries['ReservedAddr/devices']?.id).toBe(made?.id);
    expect(JSON.stringify([outcome, walk.state()])).not.toContain('hunter2');
  });
});

describe('an odd id', () => {
  test('in a state file is damage, though the checksum fits', () => {
    const entry = { kind: 'ReservedAddr', id: '../../x', spec: {}, protect: false, retain: false };
    const state = { ...emptyState('5c1e7a90', 'embedded'), serial: 1, entries: { 'ReservedAddr/devices': entry } };
    const text = writeDocument(state, { version: '1', command: 'apply' });
    expect(() => readDocument(text)).toThrow(/not an id/);
  });

  test('under lifecycle.adopt is a mistake', async () => {
    const adopting = manifest.replace('spec:', 'lifecycle: {adopt: ../x}\nspec:');
    const { diagnostics } = await loadText(
      { 'stack.yaml': adopting },
      { kinds, profile: 'completed', env: { NOTE: 'x' } },
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['INVALID_LIFECYCLE']);
  });
});

describe('what a service reports of a request', () => {
  test('is quoted without the secrets in it, and with the words in which a short one would be found', () => {
    const mask = maskOf(['ken', 'hunter2-and-more']).hide;
    expect(mask('the token is taken, ken: "hunter2-and-more2"')).toBe('the token is taken, (secret): "(secret)2"');
    expect(maskOf(['secret']).hide('a secret')).toBe('a (secret)');
    expect(maskOf(['a+b$[c]']).hide('a+b$[c] aab')).toBe('(secret) aab');
  });
});
