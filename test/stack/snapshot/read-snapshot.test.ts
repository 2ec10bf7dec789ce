import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/kinds/value.ts';
import type { Actual } from '../../../src/model/actual.ts';
import { snapshotText, parseSnapshot } from '../../../src/stack/snapshot/snapshot-text.ts';

const address: Actual = { kind: 'ReservedAddr', id: 'ra_1', spec: { region: 'eu' }, computed: { addr: 'x' } };
const edge: Actual = { kind: 'HTTPSEdge', id: 'edghts_1', spec: {}, computed: {} };
const route: Actual = { kind: 'HTTPSEdgeRoute', id: 'edghtsrt_1', parent: 'edghts_1', spec: {}, computed: {} };

function text(...resources: readonly Actual[]): string {
  return snapshotText({
    stack: { name: 'company', id: '5c1e7a90' },
    account: 'https://api.example.com',
    taken_at: '2026-03-02T12:00:00.000Z',
    salt: 'a salt of the tests',
    resources,
    other_resources: [],
    endpoints: [],
    other_endpoints: [],
  });
}

const read = (content: string) => parseSnapshot(content, 'snapshot.json');

/** Why a snapshot with these resources is refused. */
function refused(...resources: readonly Actual[]): string {
  try {
    read(text(...resources));
    return 'it is read';
  } catch (error) {
    return error instanceof Error ? error.message.replace('snapshot.json cannot be used: ', '') : '';
  }
}

describe('a snapshot', () => {
  test('is read as it was written, what is nested with its parent', () => {
    const marker = { s: 'company/5c1e7a90', a: 'ReservedAddr/mqtt', p: 'default', n: 'nonce' };
    const all: readonly Actual[] = [{ ...address, marker }, { ...edge, unmarkable: true }, route];
    const { resources, file } = read(text(...all));
    expect(resources).toEqual(all);
    expect(file).toMatchObject({ stack: { name: 'company' }, account: 'https://api.example.com' });
    expect(file).not.toHaveProperty('resources');
  });

  test('has of a secret its place alone', () => {
    const content = text({ ...address, spec: { description: new Secret('hunter2') } });
    expect(content).not.toContain('hunter2');
    expect(read(content).resources[0]?.spec['description']).toBeInstanceOf(Secret);
  });

  test.each<[string, readonly Actual[], string]>([
    ['a kind that does not exist', [{ ...address, kind: 'Nothing' }], 'resources.0.kind: unknown kind Nothing'],
    [
      'a field that the kind does not have',
      [edge, { ...address, spec: { hostports: [] } }],
      'resources.1.spec: the fields do not match the kind ReservedAddr',
    ],
    [
      'a resource inside another without a parent',
      [withoutParent(route)],
      'resources.0.parent: HTTPSEdgeRoute requires a parent',
    ],
    [
      'a parent of what is in no other',
      [{ ...edge, parent: 'edghts_2' }],
      'resources.0.parent: HTTPSEdge has no parent',
    ],
    [
      'an id that leads elsewhere',
      [{ ...edge, id: '../x' }],
      'the file is not a snapshot that this version of sluice can read: resources.0.id: not an id',
    ],
  ])('with %s is refused', (_, resources, why) => {
    expect(refused(...resources)).toContain(why);
  });

  test('that was changed, or is no snapshot at all, is refused', () => {
    expect(() => read(text(address).replace('"eu"', '"us"'))).toThrow('the checksum does not match');
    expect(() => read('{')).toThrow('the file is not valid JSON');
    expect(() => read('[]')).toThrow('the file is not a snapshot that this version of sluice can read: Invalid input');
  });
});

function withoutParent({ parent: _, ...rest }: Actual): Actual {
  return rest;
}
