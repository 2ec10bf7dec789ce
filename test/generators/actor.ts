import fc, { type Arbitrary } from 'fast-check';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { markerField, splitMetadata } from '../../src/derive/marker.ts';
import type { KindSet } from '../../src/kinds/kind.ts';
import { isMapping, type Item, type Written } from './item.ts';
import { mend } from './mend.ts';
import { anyStack } from './stack.ts';

/** Stacks of somebody else in the same account: nothing in them holds what ours may want. */
export function anyForeignStack(kinds: KindSet): Arbitrary<readonly Item[]> {
  return anyStack(kinds).map((items) =>
    mend(
      items.map((item) => ({ ...item, spec: { ...item.spec, ...elsewhere(item, kinds) } })),
      kinds,
    ),
  );
}

function elsewhere({ kind: name, spec }: Item, kinds: KindSet): Record<string, Written> {
  const account = kinds.named(name)?.unique.filter(({ scope }) => scope === 'account') ?? [];
  return Object.fromEntries(
    account.flatMap(({ field }): [string, Written][] => {
      const value = spec[field];
      if (typeof value === 'string') return [[field, `other-${value}`]];
      return Array.isArray(value) ? [[field, value.map((one) => `other-${String(one)}`)]] : [];
    }),
  );
}

/** Takes every marker of a stack out of an account, as if a person had made those resources by hand. */
export function forgetMarkers(emulator: Emulator, kinds: KindSet): void {
  const account = emulator.snapshot();
  emulator.restore({
    ...account,
    resources: account.resources.map((resource) => {
      const kind = kinds.named(resource.kind);
      const field = kind === undefined ? undefined : markerField(kind);
      const text = field === undefined ? undefined : resource.spec[field];
      if (field === undefined || typeof text !== 'string') return resource;
      return { ...resource, spec: { ...resource.spec, [field]: splitMetadata(text).text } };
    }),
  });
}

/** What another hand does to an account: to one of its resources, counted modulo how many there are. */
export interface Drift {
  readonly does: 'delete' | 'describe' | 'empty a module';
  readonly at: number;
}

/** Up to three things that another hand does. */
export const anyDrift: Arbitrary<readonly Drift[]> = fc.array(
  fc.record({
    does: fc.constantFrom('delete' as const, 'describe' as const, 'empty a module' as const),
    at: fc.nat(40),
  }),
  { maxLength: 3 },
);

/** Does it, by the API; what the service refuses does not happen. */
export async function drift(emulator: Emulator, kinds: KindSet, deeds: readonly Drift[]): Promise<void> {
  for (const { does, at } of deeds) {
    const { resources } = emulator.snapshot();
    const resource = resources[at % Math.max(1, resources.length)];
    const kind = resource === undefined ? undefined : kinds.named(resource.kind);
    if (resource === undefined || kind === undefined) continue;
    const path = `${kind.path.replace(/\{[^}]+\}/, resource.parent ?? '')}/${resource.id}`;
    const module = Object.entries(kind.fields).find(
      ([name, field]) => field.is === 'group' && field.path !== undefined && isMapping(resource.spec[name] as Written),
    )?.[1];
    const suffix = module?.is === 'group' ? (module.path?.suffix ?? '') : '';
    const [method, where, body] =
      does === 'describe'
        ? (['PATCH', path, JSON.stringify({ description: 'by hand' })] as const)
        : (['DELETE', does === 'delete' ? path : path + suffix, undefined] as const);
    if (does === 'empty a module' && suffix === '') continue;
    await emulator.handle({
      method,
      path: where,
      headers: { authorization: 'Bearer other', 'example-version': '2', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
      actor: 'other',
    });
  }
}
