import { normalize } from '../../derive/canonical.ts';
import type { KindSet, NestedKind } from '../../kinds/kind.ts';
import { addressOf, nestedName, type Address } from '../../model/address.ts';
import { isWrittenObject, type Written, type WrittenObject } from '../read/written.ts';
import { matcherOf } from './matches-wildcard.ts';
import type { PatchOperation, PatchTarget } from './patch.ts';

/** A resource within a manifest that patches can name. */
export interface Patchable {
  readonly address: Address;
  readonly kind: string;
  readonly labels: Written;
  /** Where it is written in its manifest, as a JSON pointer; undefined if it is the manifest itself. */
  readonly inside?: string;
}

/** The resource of a manifest, and those written inside it, by the addresses that every output shows. */
export function patchablesIn(value: Written, kinds: KindSet): readonly Patchable[] {
  if (!isWrittenObject(value) || typeof value['kind'] !== 'string') return [];
  const { kind, spec } = value;
  const metadata = isWrittenObject(value['metadata']) ? value['metadata'] : {};
  const within = kinds.named(kind)?.within;
  const own = typeof metadata['name'] === 'string' ? metadata['name'] : '';
  const fields = isWrittenObject(spec) ? spec : {};
  const child = kinds.all.find((one): one is NestedKind => one.name === kind && within !== undefined);
  const parent = child === undefined ? undefined : parentName(fields[child.within.by] ?? null);
  const name = child === undefined || parent === undefined ? own : nestedName(parent, nameIn(own, fields, child));
  return [
    { address: addressOf(kind, name), kind, labels: metadata['labels'] ?? null },
    ...kinds.within(kind).flatMap((inner) => embedded(fields, own, inner)),
  ];
}

/** Whether a target means a resource. `known` are the addresses of all: a name with `*` that one of them has is no pattern. */
export function isTarget(
  { kind, name = '*', labels = {} }: PatchTarget,
  one: Patchable,
  known: ReadonlySet<Address>,
): boolean {
  const has = isWrittenObject(one.labels) ? one.labels : {};
  return (
    one.kind === kind &&
    Object.entries(labels).every(([key, value]) => Object.hasOwn(has, key) && has[key] === value) &&
    matcherOf(addressOf(kind, name), known)(one.address)
  );
}

/** Whether an operation on a resource that is written inside another would also take its name and lifecycle, which stand beside its fields there. To remove `spec` removes the resource. */
export function replacesEntry({ op, path }: PatchOperation): boolean {
  return op !== 'test' && (path === '/metadata' || (path === '/spec' && op !== 'remove'));
}

/** The operations on a resource as operations on the manifest it is written in. An entry has no `metadata` and no `spec`. */
export function operationsInside(operations: readonly PatchOperation[], inside: string): readonly PatchOperation[] {
  const moved = (pointer: string): string =>
    pointer.startsWith('/')
      ? `${inside}${pointer.replace(/^\/spec(?=\/|$)/, '').replace(/^\/metadata(?=\/|$)/, '')}`
      : pointer;
  return operations.map((step) =>
    'from' in step ? { ...step, path: moved(step.path), from: moved(step.from) } : { ...step, path: moved(step.path) },
  );
}

function embedded(fields: WrittenObject, parent: string, kind: NestedKind): Patchable[] {
  const { embeddedAs } = kind.within;
  const entries = fields[embeddedAs];
  if (!Array.isArray(entries)) return [];
  return (entries as readonly Written[]).flatMap((entry, index) => {
    if (!isWrittenObject(entry)) return [];
    const own = typeof entry['name'] === 'string' ? entry['name'] : '';
    const name = nestedName(parent, nameIn(own, entry, kind));
    const inside = `/spec/${embeddedAs}/${String(index)}`;
    return [{ address: addressOf(kind.name, name), kind: kind.name, labels: entry['labels'] ?? null, inside }];
  });
}

function nameIn(own: string, fields: WrittenObject, { fields: known, within }: NestedKind): string {
  const [field, key] = [known[within.key], fields[within.key]];
  if (own !== '' || typeof key !== 'string') return own;
  return field?.is === 'leaf' ? String(normalize(field, key)) : key;
}

function parentName(parent: Written): string | undefined {
  if (typeof parent === 'string') return parent;
  return isWrittenObject(parent) && typeof parent['ref'] === 'string' ? parent['ref'] : undefined;
}
