import type { Kind, KindSet } from '../../src/kinds/kind.ts';
import type { Item } from './item.ts';

/**
 * A stack in which descriptions are values of other resources: what the service computes of them, or their descriptions. They refer to
 * resources further on in the order of kinds and names, so that there is no circle.
 */
export function withValueReferences(items: readonly Item[], kinds: KindSet): readonly Item[] {
  const order = [...items].sort((a, b) => keyOf(a) - keyOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1));
  return items.map((item) => {
    const others = order.slice(order.indexOf(item) + 1).filter(({ kind, name }) => {
      const of = kinds.named(kind);
      return name !== undefined && of?.within === undefined && of?.operations.delete !== undefined;
    });
    const issuing = others.filter(({ kind }) => issuedField(kinds.named(kind)) !== undefined);
    const among = issuing.length > 0 && nameOf(item).length % 3 > 0 ? issuing : others;
    const target = among[nameOf(item).length % Math.max(among.length, 1)];
    const kind = kinds.named(target?.kind ?? '');
    const hasDescription = kinds.named(item.kind)?.fields['description'] !== undefined;
    if (target?.name === undefined || kind === undefined || !hasDescription) return item;
    return {
      ...item,
      spec: { ...item.spec, description: { ref: `${kind.name}/${target.name}`, field: fieldOf(kind, target) } },
    };
  });

  function keyOf({ kind }: Item): number {
    return kinds.all.findIndex(({ name }) => name === kind);
  }
}

function nameOf({ kind, parent, name, spec }: Item): string {
  return `${kind} ${parent ?? ''} ${name ?? JSON.stringify(spec)}`;
}

/** What the service gives it; otherwise its description, or its id. */
function fieldOf(kind: Kind, { name = '', spec: { description } }: Item): string {
  const isShort = typeof description === 'string' && description !== '' && description.length < 60;
  return issuedField(kind) ?? (isShort && name.length % 2 === 0 ? 'description' : 'id');
}

/** A computed field by which clients find a resource. */
function issuedField(kind: Kind | undefined): string | undefined {
  const { by = '' } = kind?.clientAddress ?? {};
  return kind?.fields[by]?.lifecycle === 'computed' ? by : undefined;
}
