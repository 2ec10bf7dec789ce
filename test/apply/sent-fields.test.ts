import { expect, test } from 'vitest';
import { sentFields } from '../../src/apply/spec-after-request.ts';
import type { PathPart, Step } from '../../src/model/plan/plan.ts';

const sent = (method: string, path: readonly PathPart[], body?: object) =>
  sentFields({ request: { method, path, body } } as unknown as Step);

test('a request writes the fields of its body, and a PUT the module that its path ends with', () => {
  expect(sent('PATCH', ['/reserved_addrs/', { id: 'ra_1' }], { description: '', metadata: '' })).toEqual({
    description: '',
    metadata: '',
  });
  expect(sent('DELETE', ['/reserved_addrs/', { id: 'ra_1' }])).toEqual({});
  expect(sent('PUT', ['/edges/https/', { id: 'edghts_1' }, '/mutual_tls'], { enabled: true })).toEqual({
    mutual_tls: { enabled: true },
  });
});

test('a PUT whose path ends with an id, or that has none, writes no module', () => {
  expect(sent('PUT', ['/edges/https/', { id: 'edghts_1' }], { enabled: true })).toEqual({});
  expect(sent('PUT', [], { enabled: true })).toEqual({});
});
