import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Address } from '../../src/model/address.ts';
import type { State } from '../../src/model/state.ts';
import { withKnownMovesUndone, withMovesUndone } from '../../src/plan/undone-moves.ts';
import { emptyState } from '../../src/state/store.ts';
import { inputOf } from './support.ts';

const at = (name: string): Address => `ReservedAddr/${name}`;

type Manifests = Readonly<Record<string, string | undefined>>;

/** Addresses by the former address that their manifests name. */
function manifests(given: Manifests) {
  return inputOf({
    wanted: Object.fromEntries(Object.keys(given).map((name) => [at(name), { region: 'eu' }])),
    lifecycle: Object.fromEntries(
      Object.entries(given).flatMap(([name, from]) =>
        from === undefined ? [] : [[at(name), { moved_from: at(from) }]],
      ),
    ),
  }).desired.resources;
}

test.each<[string, Manifests, Manifests[], Record<string, string[]>]>([
  ['a rename', { a: undefined }, [{ b: 'a' }], { a: ['b'] }],
  ['renames in turn', { a: undefined }, [{ b: 'a' }, { c: 'b' }], { a: ['c'] }],
  ['a rename there and back', { a: undefined }, [{ b: 'a' }, { a: 'b' }], {}],
  ['a chain', { a: undefined, b: undefined }, [{ b: 'a', c: 'b' }], { a: ['b'], b: ['c'] }],
  ['a rename before', { b: 'a' }, [{ c: 'b' }], { b: ['c', 'a'] }],
  ['a rename of what is gone', { a: undefined }, [{ b: 'a' }, {}], {}],
  ['a rename of what is gone, and whose name is used again', { a: undefined }, [{ b: 'a' }, {}, { b: undefined }], {}],
  ['a rename that is over', { a: undefined, b: 'a' }, [{ a: undefined, b: 'a', c: undefined }], {}],
  ['a rename that does not happen', { a: undefined }, [{ a: undefined, b: 'a' }], {}],
  ['nothing', { a: undefined }, [], {}],
])('what takes back %s', (_, earlier, later, expected) => {
  const { resources: undone, taken } = withMovesUndone(manifests(earlier), later.map(manifests), kinds);
  expect(taken.size).toBe(0);
  const changed = undone.filter((one, index) => {
    const { moved_from } = one.lifecycle;
    return Array.isArray(moved_from) && moved_from !== manifests(earlier)[index]?.lifecycle.moved_from;
  });
  const bare = (address: Address): string => address.slice('ReservedAddr/'.length);
  const found = changed.map(({ address, lifecycle }) => [bare(address), [lifecycle.moved_from ?? []].flat().map(bare)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('a resource of which one address belongs to another one is named', () => {
  const between = [{ a: undefined }, { b: 'a' }].map(manifests);
  expect(withMovesUndone(manifests({ a: undefined, b: undefined }), between, kinds).taken).toEqual(
    new Map([['ReservedAddr/a', 'ReservedAddr/b']]),
  );
  const later = [{ b: 'a' }, { b: 'a', a: undefined }].map(manifests);
  expect(withMovesUndone(manifests({ a: undefined }), later, kinds).taken).toEqual(
    new Map([['ReservedAddr/a', 'ReservedAddr/b']]),
  );
});

/** A state whose resources had earlier names. */
function stateOf(former: Readonly<Record<string, readonly string[]>>): State {
  const entry = { kind: 'ReservedAddr', spec: {}, protect: false, retain: false };
  const entries = Object.entries(former).map(([name, names]) => [
    at(name),
    { ...entry, id: `ra_${name}`, ...(names.length === 0 ? {} : { formerAddresses: names.map(at) }) },
  ]);
  return { ...emptyState('7f3a9c21', 'embedded'), entries: Object.fromEntries(entries) as State['entries'] };
}

test.each<[string, Manifests, Record<string, string[]>, Record<string, string>]>([
  ['a rename', { a: undefined }, { b: ['a'] }, { a: 'b' }],
  ['renames in turn', { a: undefined }, { c: ['a', 'b'] }, { a: 'c' }],
  ['a rename before', { b: 'a' }, { c: ['a', 'b'] }, { b: 'c,a' }],
  ['a rename that a commit tells', { a: 'b' }, { b: ['a'] }, { a: 'b' }],
  ['a rename to a name that another resource had between', { c: 'b', a: undefined }, { b: ['c', 'a'] }, { c: 'b' }],
  ['nothing where the name is in use', { a: undefined }, { a: [], b: ['a'] }, {}],
])('what only state knows takes back %s', (_, earlier, former, expected) => {
  const { resources, taken } = withKnownMovesUndone(manifests(earlier), stateOf(former));
  expect(taken.size).toBe(0);
  const found = resources.flatMap(({ address, lifecycle }) =>
    lifecycle.moved_from === undefined ? [] : [[address, [lifecycle.moved_from].flat().join(',')]],
  );
  const wanted = Object.entries(expected).map(([name, from]) => [at(name), from.split(',').map(at).join(',')]);
  expect(found).toEqual(wanted);
});

test.each<[string, Manifests, Record<string, string[]>]>([
  ['a resource that had two names of the commit', { a: undefined, c: undefined }, { b: ['c', 'a'] }],
  ['a resource whose name another one had in the commit', { a: undefined, b: undefined }, { b: ['a'] }],
  ['a chain', { a: undefined, b: undefined }, { b: ['a'], c: [] }],
])('of what only state knows, %s is not taken for another one', (_, earlier, former) => {
  expect(withKnownMovesUndone(manifests(earlier), stateOf(former)).taken).toEqual(new Map([[at('a'), at('b')]]));
});
