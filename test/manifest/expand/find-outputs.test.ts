import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Profile } from '../../../src/kinds/kind.ts';
import { Ref } from '../../../src/kinds/value.ts';
import { findOutputs } from '../../../src/manifest/expand/find-outputs.ts';
import type { WrittenObject } from '../../../src/manifest/read/written.ts';

const missing = { code: 'OUTPUT_NOT_ALLOWED', message: 'there is no such stack' } as const;

function found(value: WrittenObject, profile: Profile = 'completed') {
  const findStack = (path: string) => (path === '../network' ? { owner: 'network/00000001' } : missing);
  const output = findOutputs(kinds, profile, findStack)(value);
  return output instanceof Ref ? { to: output.to, field: output.field, output: output.output } : output?.message;
}

const output = (address: unknown, field: unknown = 'id', stack: unknown = '../network'): WrittenObject => ({
  output: { stack, address, field } as WrittenObject,
});

test('an output is a reference to a resource of the other stack, found by its owner', () => {
  expect(found(output('HTTPSEdge/shop'))).toEqual({
    to: 'HTTPSEdge/shop of ../network',
    field: 'id',
    output: { stack: '../network', owner: 'network/00000001', address: 'HTTPSEdge/shop' },
  });
  expect(found(output('HTTPSEdge/shop', 'id', '../other'))).toBe(missing.message);
  expect(found({ ref: 'shop' })).toBeUndefined();
  expect(found({})).toBeUndefined();
});

test('an output that is not whole is malformed', () => {
  const malformed = '`output` must have exactly the string fields `stack`, `address` and `field`';
  const whole = output('HTTPSEdge/shop');
  for (const value of [
    ...[output(''), output(1), output('HTTPSEdge/shop', null), output('HTTPSEdge/shop', 'id', ''), { output: null }],
    ...[{ output: 'HTTPSEdge/shop' }, { output: {} }, { ...whole, ref: 'shop' }, output('HTTPSEdge/\u001b[2J')],
    { output: { ...(whole['output'] as WrittenObject), more: 1 } },
    output('HTTPSEdge/shop', 'x'.repeat(201)),
  ])
    expect(found(value)).toBe(malformed);
});

test('an output names a kind, and a field that may be read', () => {
  expect(found(output('Nothing/shop'))).toBe('`address` must be Kind/name, and `Nothing/shop` names no kind');
  expect(found(output('HTTPSEdge/shop', 'description'))).toContain('`HTTPSEdge.description` is not an output');
  expect(found(output('HTTPSEdge/shop', 'hostports'))).not.toContain('is not an output');
});

test('of each kind, an output is found where the service lists what contains it', () => {
  for (const profile of ['completed', 'documented'] as const)
    for (const kind of kinds.all) {
      const root = kinds.named(kind.within?.kind ?? kind.name) ?? kind;
      const { list } = root.operations;
      const isListed = list !== undefined && (profile === 'completed' || (list as unknown) !== 'completed');
      const address = `${kind.name}/${kind.within === undefined ? 'a' : 'a:b'}`;
      const message = `with the API profile ${profile}, sluice cannot find ${kind.name} of another stack in the account: the service does not list ${root.name}`;
      expect([kind.name, found(output(address), profile)]).toEqual([
        kind.name,
        isListed ? expect.objectContaining({ to: `${address} of ../network` }) : message,
      ]);
    }
});
