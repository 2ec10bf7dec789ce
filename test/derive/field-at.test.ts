import { expect, test } from 'vitest';
import { fieldAt } from '../../src/derive/field-at.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Path } from '../../src/kinds/value.ts';

const edge = kinds.named('HTTPSEdge')!.fields;
const route = kinds.named('HTTPSEdgeRoute')!.fields;

test.each<[Path, string]>([
  [['hostports'], 'list'],
  [['hostports', 0], 'leaf'],
  [['mutual_tls'], 'group'],
  [['mutual_tls', 'certificate_authority_ids', 1], 'leaf'],
])('the path %j of an edge leads to a %s', (path, is) => {
  expect(fieldAt(edge, path)?.is).toBe(is);
});

test('a name in a mapping is one that the manifest chose: its field is that of all values', () => {
  expect(fieldAt(route, ['request_headers', 'add'])?.is).toBe('dict');
  expect(fieldAt(route, ['request_headers', 'add', 'x-team'])).toMatchObject({ is: 'leaf', format: 'header-value' });
});

test.each<Path>([
  ['unknown'],
  ['constructor'],
  ['description', 'deeper'],
  ['hostports', 0, 'port'],
  ['mutual_tls', 'no', 'field'],
])('the path %j leads nowhere', (...path) => {
  expect(fieldAt(edge, path)).toBeUndefined();
});
