import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Field, Fields } from '../../../src/kinds/kind.ts';
import { Secret, type SpecValue } from '../../../src/kinds/value.ts';
import { renderedManifests } from '../../../src/manifest/write/rendered-manifests.ts';
import { writtenText } from '../../../src/manifest/write/write-text.ts';
import type { Desired, DesiredStack } from '../../../src/model/resource.ts';
import { type Item, type Written, type WrittenObject, isMapping } from '../../generators/item.ts';
import { anyStack } from '../../generators/stack.ts';
import { loadText } from '../../support/load-text.ts';
import { manifestText } from '../../support/manifest-text.ts';

const env = { TOKEN: 'a secret of forty characters, give or take' };

/** The same resource with its secrets taken from a variable. */
function withoutSecrets(item: Item): Item {
  return { ...item, spec: inside(kinds.named(item.kind)?.fields ?? {}, item.spec) };
}

function inside(fields: Fields, spec: WrittenObject): WrittenObject {
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, replaced(fields[name], value)]));
}

function replaced(field: Field | undefined, value: Written): Written {
  if (field?.is === 'group') return isMapping(value) ? inside(field.fields, value) : value;
  if (field?.is === 'list' && Array.isArray(value))
    return (value as readonly Written[]).map((item) => replaced(field.of, item));
  return field?.is === 'leaf' && field.secret === true && typeof value === 'string' ? { from_env: 'TOKEN' } : value;
}

function essence({ resources }: DesiredStack): readonly unknown[] {
  return resources
    .map(({ address, kind, labels, lifecycle, spec }) => ({ address, kind, labels, lifecycle, spec: revealed(spec) }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function revealed(value: SpecValue): unknown {
  if (value instanceof Secret) return { secret: value.reveal(), from: value.origin };
  if (Array.isArray(value)) return (value as readonly SpecValue[]).map(revealed);
  if (typeof value !== 'object' || value === null || 'to' in value) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, SpecValue>).map(([key, item]) => [key, revealed(item)]),
  );
}

function rendered(stack: DesiredStack): string {
  return renderedManifests(stack.resources, kinds, '')
    .documents.map(({ value }) => writtenText(value))
    .join('---\n');
}

function load(text: string): Promise<DesiredStack> {
  return loadText({ 'stack.yaml': text }, { kinds, profile: 'completed', env });
}

test('a stack that is rendered and read again is the same stack', async () => {
  let resources = 0;
  await fc.assert(
    fc.asyncProperty(anyStack(kinds), async (items) => {
      const stack = await load(manifestText(items.map(withoutSecrets), kinds));
      const again = await load(rendered(stack));
      expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(essence(again)).toEqual(essence(stack));
      resources += stack.resources.length;
    }),
    { numRuns: 60 },
  );
  expect(resources).toBeGreaterThan(100);
});

test('a lifecycle is rendered as it is written, with durations as texts', () => {
  const lifecycleOf = (lifecycle: Desired['lifecycle']) => {
    const place = { file: 'a.yaml', line: 1, col: 1 };
    const one = { address: 'SSHHostCertificate/a', kind: 'SSHHostCertificate', labels: {}, spec: {}, lifecycle };
    const { documents } = renderedManifests([{ ...one, place, places: { of: () => place } }], kinds, '');
    return documents[0]?.value['lifecycle'];
  };
  expect(lifecycleOf({})).toBeUndefined();
  expect(lifecycleOf({ protect: true })).toEqual({ protect: true });
  expect(lifecycleOf({ valid_for: 7_776_000 })).toEqual({ valid_for: '90d' });
  expect(lifecycleOf({ renew_before: 43_200, on_remove: 'retain' })).toEqual({
    renew_before: '12h',
    on_remove: 'retain',
  });
});
