import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { Ref } from '../../../src/kinds/value.ts';
import type { Desired, DesiredStack } from '../../../src/model/resource.ts';
import { lastGood } from '../../../src/watch/decide/last-good.ts';

const resource = (name: string, file: string, spec: Desired['spec'] = {}, from?: string): Desired => {
  const place = { file, line: 1, col: 1 };
  const address = `ReservedAddr/${name}`;
  const lifecycle = from === undefined ? {} : { moved_from: `ReservedAddr/${from}` };
  return { address, kind: 'ReservedAddr', labels: {}, spec, lifecycle, place, places: { of: () => place } };
};
const found = (severity: Diagnostic['severity'], file?: string): Diagnostic => ({
  code: 'INVALID_VALUE',
  severity,
  message: 'the region is unknown',
  ...(file === undefined ? {} : { place: { file, line: 1, col: 1 } }),
});
const before: DesiredStack = {
  resources: [resource('a', 'a.yaml'), resource('b', 'b.yaml'), resource('c', 'c.yaml')],
  diagnostics: [],
  complete: true,
};
const names = ({ resources }: DesiredStack): string[] => resources.map(({ address }) => address.split('/')[1] ?? '');

test('manifests with warnings are in force as they are, and what is gone from them is removed', () => {
  const read: DesiredStack = {
    resources: [resource('a', 'a.yaml')],
    diagnostics: [found('warning', 'b.yaml'), found('note')],
    complete: true,
  };
  expect(lastGood(read, before)).toBe(read);
});

test('of a file with errors the last good version stays in force, and of all others what they say now', () => {
  const [a, b] = [resource('a', 'a.yaml', { region: 'us' }), resource('b', 'b.yaml', { region: 'broken' })];
  const read = {
    ...before,
    resources: [a, b],
    broken: new Set([b.address]),
    brokenFiles: new Set(['b.yaml']),
    diagnostics: [found('error', 'b.yaml'), found('warning', 'a.yaml')],
  };
  const kept = lastGood(read, before);
  expect(kept.resources).toEqual([a, before.resources[1]]);
  // Nothing is taken for removed, and only the warning is left to be shown of what is in force.
  expect(kept.complete).toBe(false);
  expect(kept.diagnostics).toEqual([found('warning', 'a.yaml')]);
});

test('what has moved out of a file with errors is not kept twice', () => {
  const moved = resource('b', 'new.yaml');
  const read = {
    ...before,
    resources: [moved],
    brokenFiles: new Set(['b.yaml']),
    diagnostics: [found('error', 'b.yaml')],
  };
  expect(lastGood(read, before).resources).toEqual([moved]);
});

describe('beside a resource that was renamed', () => {
  const renamed = resource('b', 'b.yaml', {}, 'a');
  const broken = { ...before, brokenFiles: new Set(['a.yaml']), diagnostics: [found('error', 'a.yaml')] };

  test('what had its former address is not kept in a file with errors', () => {
    const earlier = { ...before, resources: [resource('a', 'a.yaml')] };
    expect(names(lastGood({ ...broken, resources: [renamed] }, earlier))).toEqual(['b']);
  });

  test('what has its former address since is kept in a file with errors', () => {
    const earlier = { ...before, resources: [resource('a', 'a.yaml'), renamed] };
    expect(names(lastGood({ ...broken, resources: [renamed] }, earlier))).toEqual(['b', 'a']);
  });

  test('what has its former address from now on, and an error, is kept', () => {
    const earlier = { ...before, resources: [resource('a', 'a.yaml')] };
    const wrong = resource('a', 'a.yaml', { region: 'broken' });
    const read = { ...broken, resources: [renamed, wrong], broken: new Set([wrong.address]) };
    expect(names(lastGood(read, earlier))).toEqual(['b', 'a']);
  });

  test('what only refers to it is kept in a file with errors', () => {
    const user = resource('c', 'a.yaml', { description: new Ref('ReservedAddr/a', 'addr') });
    const earlier = { ...before, resources: [resource('a', 'a.yaml'), user] };
    expect(names(lastGood({ ...broken, resources: [renamed] }, earlier))).toEqual(['b', 'c']);
  });
});

test('what says which resources are an earlier version, and because of which files', () => {
  const read = { ...before, resources: [resource('d', 'd.yaml')], diagnostics: [found('error')] };
  const some = lastGood({ ...read, brokenFiles: new Set(['b.yaml', 'a.yaml']) }, before);
  expect(some.kept).toEqual({
    files: ['a.yaml', 'b.yaml'],
    isAll: false,
    addresses: ['ReservedAddr/a', 'ReservedAddr/b'],
  });
  expect(lastGood({ ...read, inDoubt: true }, before).kept).toMatchObject({ isAll: true });
  expect(lastGood(before, some).kept).toBeUndefined();
});

test('what was renamed out of a file with errors without saying so is in force under both names: nobody knows that it is one resource', () => {
  const renamed = resource('z', 'z.yaml');
  const read = {
    ...before,
    resources: [renamed],
    brokenFiles: new Set(['a.yaml']),
    diagnostics: [found('error', 'a.yaml')],
  };
  const inForce = lastGood(read, before);
  expect(names(inForce)).toEqual(['z', 'a']);
  expect(inForce.kept?.addresses).toEqual(['ReservedAddr/a']);
});

test('a broken directory keeps what was in it, and not what only begins with its name', () => {
  const resources = [resource('a', 'team/x/a.yaml'), resource('b', 'team2/b.yaml'), resource('c', 'c.yaml')];
  const read = { ...before, resources: [], brokenFiles: new Set(['team']), diagnostics: [found('error', 'team')] };
  expect(names(lastGood(read, { ...before, resources }))).toEqual(['a']);
});

test('an error of which nobody knows what it is about keeps everything as it was in force; without an earlier version nothing is', () => {
  const read = { ...before, resources: [resource('d', 'd.yaml')], inDoubt: true, diagnostics: [found('error')] };
  expect(names(lastGood(read, before))).toEqual(['a', 'b', 'c']);
  expect(names(lastGood(read, undefined))).toEqual([]);
});
