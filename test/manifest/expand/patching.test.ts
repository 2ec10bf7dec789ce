import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { Problems } from '../../../src/manifest/check/problems.ts';
import { applyPatch, type Patch, type PatchOperation } from '../../../src/manifest/expand/patch.ts';
import { patching } from '../../../src/manifest/expand/patching.ts';
import { limits } from '../../../src/manifest/read/limits.ts';
import type { Written } from '../../../src/manifest/read/written.ts';
import { mustHold } from '../../support/law.ts';

/** A name of an edge or route, and a pattern that of all these names matches this one alone. */
const names = { one: 'o*e', two: 'tw*', three: '*ree', four: 'f*r' } as const;
type Name = keyof typeof names;

interface Step {
  readonly on: Name;
  /** The route of the edge with this name, instead of the edge. */
  readonly route?: Name | undefined;
  readonly operation: PatchOperation;
}

const rename = (to: string): PatchOperation => ({ op: 'replace', path: '/metadata/name', value: to });
const describeAs = (text: string): PatchOperation => ({ op: 'add', path: '/spec/description', value: text });

describe('a target means the address as it stands after earlier patches', () => {
  test('of a resource that an earlier patch renamed', () => {
    const { value, unused } = patched([
      { on: 'one', operation: rename('three') },
      { on: 'three', operation: describeAs('Patched') },
    ]);
    expect([value, unused]).toEqual([
      expect.objectContaining({
        metadata: { name: 'three' },
        spec: expect.objectContaining({ description: 'Patched' }) as unknown,
      }),
      [],
    ]);
  });

  test('of a route that an earlier patch added', () => {
    const route = { name: 'four', match_type: 'path_prefix', match: '/4' };
    const { unused } = patched([
      { on: 'one', operation: { op: 'add', path: '/spec/routes/-', value: route } },
      { on: 'one', route: 'four', operation: describeAs('Patched') },
    ]);
    expect(unused).toEqual([]);
  });

  test('and not the name that an earlier patch took away, nor one that only a later patch gives', () => {
    const { unused } = patched([
      { on: 'three', operation: describeAs('Too early') },
      { on: 'one', operation: rename('three') },
      { on: 'one', operation: describeAs('Too late') },
    ]);
    expect(unused).toHaveLength(2);
  });

  test('law: a pattern that matches only one name does what this name does', () =>
    mustHold({
      on: fc.array(steps(), { minLength: 1, maxLength: 8 }),
      holds: (given) => {
        const { value, unused } = patched(given);
        const byPattern = patched(given, (name) => names[name]);
        expect([byPattern.value, byPattern.unused.length]).toEqual([value, unused.length]);
        return Promise.resolve();
      },
      scenario: (given) => JSON.stringify(given),
      runs: 300,
    }));
});

test('patches that together use up the work that may be done are reported once, by the first that goes beyond it', () => {
  // 32 characters count as one value more.
  const text = (weight: number): string => 'x'.repeat(32 * (weight - 1));
  const value = { kind: 'HTTPSEdge', metadata: { name: 'one' }, spec: { description: text(156_000) } };
  const again: PatchOperation = { op: 'test', path: '/spec/description', value: value.spec.description };
  const most = Array<PatchOperation>(9).fill(again);
  const target = { kind: 'HTTPSEdge', name: 'one' };
  const left = limits.patchWork - applyPatch(value, { target, patch: most }, Infinity).work;
  const whole: PatchOperation = { op: 'add', path: '/spec/metadata', value: text(left - 1) };
  const beyond = { target, patch: [describeAs('short')] };
  const problems = new Problems({ of: () => () => false, words: new Set() } as never);
  const { apply } = patching([{ target, patch: [...most, whole] }, beyond, beyond], kinds, problems);
  const result = apply({ value, origin: { file: 'a.yaml', base: [], edits: [] } as never }).value as typeof value;
  expect(Object.values(result.spec).map(({ length }) => length)).toEqual([156_000, left - 1].map((n) => 32 * (n - 1)));
  expect(problems.all().map(({ message }) => message)).toEqual([
    'HTTPSEdge/one: all patches together would process more than 3000000 values',
  ]);
});

function steps(): fc.Arbitrary<Step> {
  const name = fc.constantFrom(...(Object.keys(names) as Name[]));
  const added = name.map((one) => ({ name: one, match_type: 'path_prefix', match: '/' }));
  return fc.record({
    on: name,
    route: fc.option(name, { nil: undefined }),
    operation: fc.oneof(
      name.map(rename),
      fc.string({ maxLength: 3 }).map(describeAs),
      added.map((value): PatchOperation => ({ op: 'add', path: '/spec/routes/-', value })),
    ),
  });
}

function patched(
  given: readonly Step[],
  spelled: (name: Name) => string = (name) => name,
): { readonly value: Written; readonly unused: readonly string[] } {
  const patches = given.map(({ on, route, operation }): Patch => {
    const target =
      route === undefined
        ? { kind: 'HTTPSEdge', name: spelled(on) }
        : { kind: 'HTTPSEdgeRoute', name: `${spelled(on)}:${spelled(route)}` };
    return { target, patch: [operation] };
  });
  const problems = new Problems({ of: () => () => false, words: new Set() } as never);
  const { apply, reportUnused } = patching(patches, kinds, problems);
  const routes = [{ name: 'two', match_type: 'path_prefix', match: '/' }];
  const value = { apiVersion: 'sluice/v1', kind: 'HTTPSEdge', metadata: { name: 'one' }, spec: { routes } };
  const result = apply({ value, origin: { file: 'a.yaml', base: [], edits: [] } as never }).value;
  reportUnused();
  const all = problems.all().filter(({ code }) => code === 'PATCH_TARGET_NOT_FOUND');
  return { value: result, unused: all.map(({ message }) => message) };
}
