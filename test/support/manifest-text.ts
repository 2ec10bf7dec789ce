import { stringify } from 'yaml';
import type { KindSet } from '../../src/kinds/kind.ts';
import { reference, type Item, type WrittenObject } from '../generators/item.ts';
import { externalId, externals } from '../generators/pools.ts';

/** The manifests of a stack as YAML text, with the `External`s it may refer to. */
export function manifestText(items: readonly Item[], kinds: KindSet): string {
  return documentsOf(items, kinds)
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
}

/** The manifests of a stack as values, one a document. */
export function documentsOf(items: readonly Item[], kinds: KindSet): WrittenObject[] {
  const known = Object.entries(externals).flatMap(([type, names]) =>
    names.map((name) => manifest('External', { name }, { type, id: externalId(name) })),
  );
  const own = items.flatMap((item) => {
    const kind = kinds.named(item.kind);
    if (kind?.within === undefined) return [documentOf(item, items, kinds)];
    if (item.form === 'inside') return [];
    const spec = { [kind.within.by]: reference(item.parent ?? ''), ...item.spec };
    return [manifest(item.kind, item.name === undefined ? {} : { name: item.name }, spec, item.protect)];
  });
  return [...known, ...own];
}

function documentOf(item: Item, items: readonly Item[], kinds: KindSet): WrittenObject {
  const inside = kinds.within(item.kind).flatMap((kind) => {
    const children = items.filter(
      (other) => other.kind === kind.name && other.form === 'inside' && other.parent === item.name,
    );
    const written = children.map(({ name, spec, protect }) => ({
      ...(name === undefined ? {} : { name }),
      ...(protect === undefined ? {} : { lifecycle: { protect } }),
      ...spec,
    }));
    return written.length === 0 ? [] : [[kind.within.embeddedAs, written] as const];
  });
  const spec = { ...item.spec, ...Object.fromEntries(inside) };
  return manifest(item.kind, { name: item.name ?? '' }, spec, item.protect);
}

function manifest(kind: string, metadata: WrittenObject, spec: WrittenObject, protect?: boolean): WrittenObject {
  return {
    apiVersion: 'sluice/v1',
    kind,
    metadata,
    ...(protect === undefined ? {} : { lifecycle: { protect } }),
    spec,
  };
}
