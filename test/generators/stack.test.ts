import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Fields } from '../../src/kinds/kind.ts';
import { loadText } from '../support/load-text.ts';
import { manifestText } from '../support/manifest-text.ts';
import { sampleSize } from '../support/samples.ts';
import { anyEditedStack } from './edits.ts';
import { isMapping, type Written } from './item.ts';
import { anyStack } from './stack.ts';

test('generated stacks, before and after edits, are manifests without an error', async () => {
  await fc.assert(
    fc.asyncProperty(anyEditedStack(kinds), async ({ before, after }) => {
      for (const items of [before, after]) {
        const { diagnostics, resources } = await loadText(
          { 'stack.yaml': manifestText(items, kinds) },
          { kinds, profile: 'completed' },
        );
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(resources).toHaveLength(items.length);
      }
    }),
    { numRuns: sampleSize(25, 60) },
  );
});

test('generated stacks use every field of every kind', () => {
  const writable = kinds.all.flatMap((kind) => {
    const parent = kind.within?.by;
    return pathsOf(kind.name, kind.fields).filter((path) => path !== `${kind.name}/${parent ?? ''}`);
  });
  const used = new Set<string>();
  const unused = () => writable.filter((path) => !used.has(path));
  const stacks = anyStack(kinds);
  for (let seed = 1; seed <= 30 && unused().length > 0; seed++)
    for (const stack of fc.sample(stacks, { numRuns: 50, seed }))
      for (const { kind, spec } of stack) note(kind, spec, used);
  expect(unused()).toEqual([]);
});

function note(path: string, value: Written, used: Set<string>): void {
  used.add(path);
  if (isMapping(value)) for (const [key, item] of Object.entries(value)) note(`${path}/${key}`, item, used);
  if (Array.isArray(value)) for (const item of value as readonly Written[]) note(path, item, used);
}

function pathsOf(path: string, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const own = `${path}/${name}`;
    if (field.lifecycle === 'computed') return [];
    if (field.is === 'group') return [own, ...pathsOf(own, field.fields)];
    return field.is === 'list' && field.of.is === 'group' ? [own, ...pathsOf(own, field.of.fields)] : [own];
  });
}
