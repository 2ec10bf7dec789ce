import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { type Block, misplacedField, writableNames } from '../../../src/manifest/check/misplaced-field.ts';

const writable = new Map(kinds.all.map((kind) => [kind, writableNames(kind.fields)]));
const allNames = [...new Set([...writable.values()].flat())];

function hintOf(key: string, kindName: string, block: Block = 'spec', isNested = false): string | undefined {
  const kind = kinds.named(kindName);
  if (kind === undefined) throw new Error(kindName);
  return misplacedField(key, { block, path: [], kind, kinds, isNested }).hint;
}

describe('a field that is unknown where it is written', () => {
  test('is shown to be one of the only other kind that has it', () => {
    expect(hintOf('ca_pem', 'ReservedAddr')).toBe('`ca_pem` is a field of CertificateAuthority');
    expect(hintOf('sources', 'HTTPSEdge')).toBe('`sources` is a field of EventSubscription');
  });

  test('law: no hint names a kind that does not have it, nor one of several that do', () => {
    for (const kind of kinds.all)
      for (const key of allNames) {
        if (writable.get(kind)?.includes(key) === true) continue;
        const having = kinds.all.filter((other) => writable.get(other)?.includes(key) === true);
        const named = /is a field of (\w+)$/.exec(hintOf(key, kind.name) ?? '')?.[1];
        if (named !== undefined) expect(having.map(({ name }) => name)).toEqual([named]);
      }
  });

  test('is no hint to itself, where it is written in the right kind', () => {
    for (const kind of kinds.all)
      for (const key of writableNames(kind.fields))
        expect(hintOf(key, kind.name) ?? '').not.toBe(`\`${key}\` is a field of ${kind.name}`);
  });

  test('belongs nowhere, where the service computes it', () => {
    const computed = kinds.all.flatMap(({ fields }) =>
      Object.keys(fields).filter((key) => fields[key]?.lifecycle === 'computed' && !allNames.includes(key)),
    );
    expect(computed.length).toBeGreaterThan(0);
    for (const key of computed)
      for (const kind of kinds.all) expect(hintOf(key, kind.name) ?? '').not.toMatch(/belongs in|is a field of/);
  });
});
