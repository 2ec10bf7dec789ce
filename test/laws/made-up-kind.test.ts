/*
 * Adding a kind is adding one file and one line. This kind exists nowhere but here; the whole pipeline takes it, from
 * manifest to emulator and back, and no other file knows its name.
 */
import { describe, expect, test } from 'vitest';
import { InvalidInput } from '../../src/diagnostics/errors.ts';
import {
  byDefault,
  computed,
  count,
  description,
  group,
  identity,
  immutable,
  metadata,
  module,
  oneOf,
  required,
  secret,
  setOf,
  text,
} from '../../src/kinds/fields.ts';
import { kinds, kindSet } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { harness, printed } from '../support/harness.ts';

const lighthouse: Kind = {
  name: 'Lighthouse',
  doc: 'Shows ships the way.',
  path: '/lighthouses',
  listKey: 'lighthouses',
  idPrefix: 'lh',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(),
    metadata: metadata(),
    coast: immutable(required(oneOf(['north', 'south'], 'Where it stands.'))),
    range: byDefault(count('Miles.'), 12),
    colours: setOf(text('A colour.'), 'What it shows.'),
    keeper: group('Who lives in it.', { name: required(text('A name.')), password: secret('Opens the door.') }),
    horn: module(
      'Sounds in fog.',
      { seconds: count('Between two sounds.') },
      { path: { suffix: '/horn', since: 'described' } },
    ),
    height: computed(count('As surveyed.')),
  },
  rules: [],
  unique: [],
  printerColumns: ['coast'],
};

const withLighthouse = kindSet([...kinds.all, lighthouse]);

function manifest(spec: string): Record<string, string> {
  return { 'coast.yaml': `apiVersion: sluice/v1\nkind: Lighthouse\nmetadata: {name: cape}\nspec: ${spec}\n` };
}

describe('a kind that is only made up', () => {
  test('is created, edited, replaced and deleted, and converges every time', async () => {
    const walk = harness({ kinds: withLighthouse });
    const actions: unknown[] = [];
    for (const spec of [
      '{coast: north, colours: [red, white], keeper: {name: Ann, password: storm-and-tide}, horn: {seconds: 30}}',
      '{coast: north, colours: [white, green], range: 20, keeper: {name: Ann, password: wind-and-rain}}',
      '{coast: south, colours: [white, green]}',
    ]) {
      const { plan } = await walk.converge(manifest(spec));
      actions.push([plan.changes[0]?.action, plan.steps.map(({ role }) => role)]);
      expect(printed(plan, withLighthouse)).not.toMatch(/storm|rain/);
      const [first] = walk.emulator.snapshot().resources.filter(({ kind }) => kind === 'Lighthouse');
      expect(first?.spec['coast']).toBe(spec.includes('north') ? 'north' : 'south');
    }
    const { plan } = await walk.converge({ 'coast.yaml': '' });
    actions.push([plan.changes[0]?.action, plan.steps.map(({ role }) => role)]);
    expect(actions).toEqual([
      ['create', ['create']],
      ['update', ['update', 'unset']],
      ['replace-create-first', ['create', 'delete']],
      ['delete', ['delete']],
    ]);
    expect(walk.emulator.snapshot().resources.filter(({ kind }) => kind === 'Lighthouse')).toEqual([]);
  });

  test('is found again by its marker when the state file is lost', async () => {
    const walk = harness({ kinds: withLighthouse });
    await walk.converge(manifest('{coast: north}'));
    walk.loseState();
    const { plan } = await walk.plan(manifest('{coast: north}'));
    expect(plan.steps).toEqual([]);
  });

  test('is checked like any other: unknown, missing and mistaken fields have diagnostics', async () => {
    const walk = harness({ kinds: withLighthouse });
    const wrong = walk.plan(manifest('{colour: [red], range: far, keeper: {}}'));
    await expect(wrong).rejects.toThrow(InvalidInput);
    const { diagnostics } = (await wrong.catch((error: unknown) => error)) as InvalidInput;
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([
      'INVALID_TYPE',
      'MISSING_FIELD',
      'MISSING_FIELD',
      'UNKNOWN_FIELD',
    ]);
    expect(diagnostics.find(({ code }) => code === 'UNKNOWN_FIELD')?.hint).toContain('colours');
  });
});
