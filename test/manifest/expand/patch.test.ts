import { describe, expect, test } from 'vitest';
import { applyPatch, type PatchOperation } from '../../../src/manifest/expand/patch.ts';
import { limits, weightOf } from '../../../src/manifest/read/limits.ts';
import type { Written, WrittenObject } from '../../../src/manifest/read/written.ts';

const manifest: WrittenObject = { kind: 'K', spec: { a: 1, list: ['x', 'y'], 'with/slash': { '~': 0 } } };
const apply = (patch: readonly PatchOperation[], of: WrittenObject = manifest, workLeft = Infinity) =>
  applyPatch(of, { target: { kind: 'K' }, patch }, workLeft);
const specAfter = (...patch: readonly PatchOperation[]) => apply(patch).value['spec'];
const failureOf = (...patch: readonly PatchOperation[]) => {
  const { failed, edits, value } = apply(patch);
  expect([edits, value]).toEqual([[], manifest]);
  return failed;
};

const { spec } = manifest as { readonly spec: WrittenObject };
const { a: _, ...rest } = spec;

describe('an operation', () => {
  const cases: readonly (readonly [string, PatchOperation, Written])[] = [
    ['adds a field', { op: 'add', path: '/spec/b', value: null }, { ...spec, b: null }],
    ['adds over a field', { op: 'add', path: '/spec/a', value: 2 }, { ...spec, a: 2 }],
    ['replaces a field', { op: 'replace', path: '/spec/a', value: [] }, { ...spec, a: [] }],
    ['removes a field', { op: 'remove', path: '/spec/a' }, rest],
    ['adds the first of a list', { op: 'add', path: '/spec/list/0', value: 'w' }, { ...spec, list: ['w', 'x', 'y'] }],
    [
      'adds the last by its number',
      { op: 'add', path: '/spec/list/2', value: 'z' },
      { ...spec, list: ['x', 'y', 'z'] },
    ],
    ['adds the last by a dash', { op: 'add', path: '/spec/list/-', value: 'z' }, { ...spec, list: ['x', 'y', 'z'] }],
    ['removes one of a list', { op: 'remove', path: '/spec/list/0' }, { ...spec, list: ['y'] }],
    ['moves a field', { op: 'move', from: '/spec/a', path: '/spec/b' }, { ...rest, b: 1 }],
    ['moves within a list', { op: 'move', from: '/spec/list/0', path: '/spec/list/1' }, { ...spec, list: ['y', 'x'] }],
    ['copies a list', { op: 'copy', from: '/spec/list', path: '/spec/b' }, { ...spec, b: ['x', 'y'] }],
    ['tests a field', { op: 'test', path: '/spec/list', value: ['x', 'y'] }, spec],
    [
      'finds a name with a slash',
      { op: 'add', path: '/spec/with~1slash/~0', value: 1 },
      { ...spec, 'with/slash': { '~': 1 } },
    ],
  ];
  test.each(cases)('%s', (_, step, after) => {
    const before = structuredClone(manifest);
    expect(apply([step])).toMatchObject({ value: { kind: 'K', spec: after } });
    expect(specAfter(step)).toEqual(after);
    expect(apply([step]).failed).toBeUndefined();
    expect(manifest).toEqual(before);
  });
});

describe('an operation that does not fit is reported by its number', () => {
  const noPath = 'the patch has a path that does not exist in the manifest';
  const noFrom = 'the patch moves or copies a value from a path that does not exist in the manifest';
  const noParent = 'the patch adds to a mapping or list that does not exist in the manifest';
  const useAdd = 'to set a field that the manifest does not have yet, use `op: add`';
  const slash = 'the `path` and `from` of a patch operation must begin with a slash';
  const reserved = 'the patch has a path with a reserved key, such as __proto__';
  const first = (what: string) => `first add the ${what}`;
  const cases: [PatchOperation, string, string?][] = [
    [{ op: 'replace', path: '/spec/b', value: 1 }, noPath, useAdd],
    [{ op: 'remove', path: '/spec/b' }, noPath],
    [{ op: 'remove', path: '/spec/list/2' }, noPath],
    [{ op: 'remove', path: '/spec/toString' }, noPath],
    [{ op: 'remove', path: '/spec/list/length' }, noPath],
    [{ op: 'move', from: '/spec/b', path: '/spec/c' }, noFrom],
    [{ op: 'copy', from: '/spec/list/2', path: '/spec/c' }, noFrom],
    [{ op: 'add', path: '/spec/b/c', value: 1 }, noParent, first('mapping: {op: add, path: /spec/b, value: {}}')],
    [{ op: 'add', path: '/spec/b/-', value: 1 }, noParent, first('list: {op: add, path: /spec/b, value: []}')],
    [{ op: 'add', path: '/spec/b/10', value: 1 }, noParent, first('list: {op: add, path: /spec/b, value: []}')],
    [{ op: 'add', path: '/spec/list/first', value: 1 }, 'the patch uses an invalid list index'],
    [{ op: 'add', path: '/spec/list/3', value: 1 }, 'the patch uses a list index beyond the end of the list'],
    [
      { op: 'test', path: '/spec/a', value: 2 },
      'a `test` operation of the patch failed: the manifest has another value at the tested path',
    ],
    [{ op: 'add', path: '', value: {} }, slash],
    [{ op: 'add', path: 'spec/a', value: 1 }, slash],
    [{ op: 'move', from: 'spec/a', path: '/spec/b' }, slash],
    [{ op: 'add', path: '/spec/__proto__/a', value: 1 }, reserved],
    [{ op: 'copy', from: '/constructor', path: '/spec/b' }, reserved],
  ];
  test.each<[PatchOperation, string, string?]>(cases)('%j', (step, message, hint) => {
    const { code, operation, ...failed } = failureOf({ op: 'test', path: '/kind', value: 'K' }, step) ?? {};
    expect([code, operation]).toEqual(['PATCH_FAILED', 1]);
    expect(failed).toEqual({ message, ...(hint === undefined ? {} : { hint }) });
  });
});

describe('of an operation, the paths are known that it changes', () => {
  const place = { file: 'stack.yaml', line: 7, col: 3 };
  const cases: readonly (readonly [PatchOperation, readonly unknown[]])[] = [
    [{ op: 'test', path: '/spec/a', value: 1 }, []],
    [{ op: 'add', path: '/spec/b', value: 1 }, [{ path: ['spec', 'b'], place }]],
    [{ op: 'remove', path: '/spec/a' }, [{ path: ['spec', 'a'], place }]],
    [{ op: 'replace', path: '/spec/list/0', value: 1 }, [{ path: ['spec', 'list', 0], place }]],
    [{ op: 'add', path: '/spec/list/-', value: 1 }, [{ path: ['spec', 'list', 2], place }]],
    [{ op: 'add', path: '/spec/list/1', value: 1 }, [{ path: ['spec', 'list'] }]],
    [{ op: 'remove', path: '/spec/list/1' }, [{ path: ['spec', 'list'] }]],
    [
      { op: 'move', from: '/spec/list/0', path: '/spec/b' },
      [{ path: ['spec', 'list'] }, { path: ['spec', 'b'], place }],
    ],
    [{ op: 'move', from: '/spec/a', path: '/spec/list/0' }, [{ path: ['spec', 'list'] }, { path: ['spec'] }]],
  ];
  test.each(cases)('%j', (step, edits) => {
    const placeOf = (operation?: number) => (operation === 0 ? place : { ...place, line: 1 });
    expect(applyPatch(manifest, { target: { kind: 'K' }, patch: [step], placeOf }, Infinity).edits).toEqual(edits);
    const { edits: unplaced } = apply([step]);
    expect(JSON.stringify(unplaced)).not.toContain('stack.yaml');
    expect(unplaced).toHaveLength(edits.length);
  });
});

describe('how much a patch goes through', () => {
  const weight = weightOf(manifest, Infinity);
  // Of a list of two texts 3, of a number or nothing 1.
  const cases: readonly (readonly [PatchOperation, number])[] = [
    [{ op: 'add', path: '/spec/b', value: ['x', 'y'] }, 4],
    [{ op: 'add', path: '/spec/list', value: 1 }, 4],
    [{ op: 'add', path: '/spec/list/0', value: 1 }, 1],
    [{ op: 'replace', path: '/spec/list', value: [1] }, 5],
    [{ op: 'remove', path: '/spec/list' }, 3],
    [{ op: 'test', path: '/spec/list', value: ['x', 'y'] }, 6],
    [{ op: 'copy', from: '/spec/list', path: '/spec/b' }, 4],
    [{ op: 'copy', from: '/spec/list', path: '/spec/a' }, 4],
    [{ op: 'move', from: '/spec/list', path: '/spec/b' }, 9],
  ];
  test.each(cases)('is for %j its values', (step, more) => {
    expect(apply([step]).work - weight).toBe(more);
    expect(apply([step], manifest, weight + more).failed).toBeUndefined();
    expect(apply([step], manifest, weight + more - 1).failed).toEqual({
      operation: 0,
      code: 'TOO_LARGE',
      message: 'all patches together would process more than 3000000 values',
    });
  });
});

test('a patch makes a manifest as large as the limit, also after values were taken out, and no larger', () => {
  const of = (count: number): Written => Array.from({ length: count }, () => 0);
  const room = limits.patched - weightOf(manifest, Infinity) - 1;
  const add = (count: number): PatchOperation => ({ op: 'add', path: '/spec/b', value: of(count) });
  // What is not there is counted as one value.
  expect(apply([add(room + 1)]).failed).toBeUndefined();
  expect(apply([{ op: 'remove', path: '/spec/list' }, add(room + 4)]).failed).toBeUndefined();
  const large = { code: 'TOO_LARGE', message: 'the patch makes the manifest larger than 200000 values' };
  expect(apply([add(room + 2)]).failed).toEqual({ operation: 0, ...large });
  expect(apply([{ op: 'test', path: '/kind', value: 'K' }, add(room + 2)]).failed).toEqual({ operation: 1, ...large });
});

test('a patch nests a manifest as deep as the limit, and no deeper', () => {
  const nested = (depth: number): Written => (depth === 0 ? 1 : { in: nested(depth - 1) });
  const add = (depth: number): PatchOperation => ({ op: 'add', path: '/spec/b', value: nested(depth) });
  // The value itself is below `spec`, which is below the manifest.
  expect(apply([add(limits.depth - 2)]).failed).toBeUndefined();
  expect(apply([add(limits.depth - 1), { op: 'remove', path: '/spec/a' }]).failed).toEqual({
    operation: 1,
    code: 'TOO_DEEP',
    message: 'the patch nests the manifest more than 64 levels deep',
  });
});
