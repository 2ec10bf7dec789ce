import { describe, expect, test } from 'vitest';
import { loadText } from '../../support/manifests.ts';

const whole = { apiVersion: 'sluice/v1', kind: 'HTTPSEdge', metadata: { name: 'shop' }, spec: { hostports: [] } };
const { apiVersion, kind, metadata, spec } = whole;

/** What is reported of a manifest, each as `code path`, where the path is the text that is marked; and its labels. */
async function read(manifest: unknown) {
  const text = typeof manifest === 'string' ? manifest : `${JSON.stringify(manifest)}\n`;
  const { diagnostics, resources } = await loadText(text);
  return {
    reported: diagnostics.map(({ code, message }) => `${code} ${message}`),
    hints: diagnostics.map(({ hint }) => hint),
    labels: resources[0]?.labels,
  };
}

describe('what is wrong with the form of a manifest is reported', () => {
  const none =
    'INVALID_MANIFEST the document is not a manifest: it must be a mapping with `apiVersion`, `kind`, `metadata` and `spec`';
  const dns =
    'INVALID_NAME `HTTPSEdge.metadata.name` must be a DNS label: lower-case letters, digits and inner hyphens, at most 63 characters';
  const labels = 'INVALID_TYPE `HTTPSEdge.metadata.labels` must be a mapping of strings';
  const version = 'MISSING_FIELD `apiVersion: sluice/v1` is required';
  const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['nothing', whole, []],
    ['a text', '"text"\n', [none]],
    ['a list', [whole], [none]],
    ['another mapping', { name: 'shop' }, [none]],
    ['a mapping of only a version', { apiVersion }, ['MISSING_FIELD the manifest has no `kind`']],
    ['no kind', { apiVersion, metadata, spec }, ['MISSING_FIELD the manifest has no `kind`']],
    ['a kind that is null', { ...whole, kind: null }, ['MISSING_FIELD the manifest has no `kind`']],
    ['a kind that is a number', { ...whole, kind: 1 }, ['UNKNOWN_KIND `kind` must be a string']],
    ['an unknown kind', { ...whole, kind: 'httpsedge' }, ['UNKNOWN_KIND unknown kind `httpsedge`']],
    ['no version', { kind, metadata, spec }, [version]],
    ['a version that is null', { ...whole, apiVersion: null }, [version]],
    ['another version', { ...whole, apiVersion: 'v1' }, ['INVALID_VALUE `apiVersion` must be sluice/v1, not "v1"']],
    ['a number as version', { ...whole, apiVersion: 1 }, ['INVALID_VALUE `apiVersion` must be sluice/v1']],
    ['no metadata', { apiVersion, kind, spec }, ['MISSING_FIELD `HTTPSEdge.metadata.name` is required']],
    [
      'metadata that are a list',
      { ...whole, metadata: [] },
      ['INVALID_TYPE `metadata` must be a mapping', 'MISSING_FIELD `HTTPSEdge.metadata.name` is required'],
    ],
    [
      'a name that is null',
      { ...whole, metadata: { name: null } },
      ['MISSING_FIELD `HTTPSEdge.metadata.name` is required'],
    ],
    ['a name of 63 characters', { ...whole, metadata: { name: 'x'.repeat(63) } }, []],
    ['a name of 64 characters', { ...whole, metadata: { name: 'x'.repeat(64) } }, [`${dns}, not "${'x'.repeat(64)}"`]],
    ['a name with a capital', { ...whole, metadata: { name: 'Shop' } }, [`${dns}, not "Shop"`]],
    ['a name that is empty', { ...whole, metadata: { name: '' } }, [`${dns}, not ""`]],
    [
      'a name that is a number',
      { ...whole, metadata: { name: 1 } },
      ['INVALID_NAME `HTTPSEdge.metadata.name` must be a string'],
    ],
    ['labels that are a list', { ...whole, metadata: { ...metadata, labels: ['a'] } }, [labels]],
    ['labels that are a text', { ...whole, metadata: { ...metadata, labels: 'a' } }, [labels]],
    ['labels that are null', { ...whole, metadata: { ...metadata, labels: null } }, []],
    [
      'a label that is a number',
      { ...whole, metadata: { ...metadata, labels: { a: 1, b: 'c' } } },
      ['INVALID_LABEL `HTTPSEdge.metadata.labels.a` must be a string'],
    ],
    ['a spec that is a list', { ...whole, spec: [] }, ['INVALID_TYPE `spec` must be a mapping']],
  ];
  test.each(cases)('%s', async (_, manifest, reported) => {
    const found = (await read(manifest)).reported.filter((line) => !line.startsWith('UNREACHABLE'));
    expect(found).toEqual(reported);
  });
});

test('labels are read, those that are no text are left out, and without labels there are none', async () => {
  const labelled = (labels: unknown) => ({ ...whole, metadata: { ...metadata, labels } });
  expect((await read(labelled({ team: 'web', empty: '' }))).labels).toEqual({ team: 'web', empty: '' });
  for (const nothing of [{}, null, undefined]) expect((await read(labelled(nothing))).labels).toEqual({});
});

test('only a number or a boolean in place of a text is to be put in quotes', async () => {
  const hints = async (value: unknown) =>
    (await read({ ...whole, metadata: { name: value, labels: { team: value } } })).hints;
  for (const value of [1, true]) expect(await hints(value)).toEqual(Array(2).fill('put the value in quotes'));
  for (const value of [{ from_env: 'NAME' }, ['shop']]) expect(await hints(value)).toEqual([undefined, undefined]);
});

describe('a list of manifests', () => {
  const list = (more: object) => ({ apiVersion, kind: 'List', ...more });
  test.each([
    ['has manifests', list({ items: [whole] }), []],
    ['may be empty', list({ items: [] }), []],
    ['may have metadata', list({ metadata: {}, items: [] }), []],
    ['must have items', list({}), ['INVALID_TYPE `items` must be a list of manifests']],
    ['has no items that are null', list({ items: null }), ['INVALID_TYPE `items` must be a list of manifests']],
    ['has no mapping of items', list({ items: { a: whole } }), ['INVALID_TYPE `items` must be a list of manifests']],
    ['has a version', { kind: 'List', items: [] }, ['MISSING_FIELD `apiVersion: sluice/v1` is required']],
    ['has nothing else', list({ items: [], spec: {} }), ['UNKNOWN_FIELD unknown field `spec` in List']],
  ])('%s', async (_, manifest, reported) => {
    expect((await read(manifest)).reported).toEqual(reported);
  });
});
