import type { Kind, KindSet, NestedKind } from '../../kinds/kind.ts';
import { readLabels, readName, type Manifest } from '../check/manifest-shape.ts';
import type { Problems } from '../check/problems.ts';
import { isWrittenObject, type Written, type WrittenObject, inside, type Origin } from '../read/written.ts';

/** One resource as written, out of whatever form it was written in. */
export interface ResourceDraft extends Omit<Manifest, 'kind'> {
  readonly kind: Kind;
  /** Where its spec was written. */
  readonly specOrigin: Origin;
  /** Fields that are allowed besides those of the kind. */
  readonly sugar: readonly string[];
}

/** What a resource that is written inside its parent has beside its fields. */
const besideFields = ['name', 'labels', 'lifecycle'];

/** Whether a resource is written inside its parent. */
export function isNestedDraft({ origin, specOrigin }: ResourceDraft): boolean {
  return origin === specOrigin;
}

/** The resource of a manifest, and those written inside it. */
export function resourceDrafts(manifest: Manifest, kind: Kind, kinds: KindSet, problems: Problems): ResourceDraft[] {
  const specOrigin = inside(manifest.origin, 'spec');
  const inner = kinds.within(kind.name);
  const children = inner.map(({ within }) => within.embeddedAs);
  const { origin, written, name, labels, lifecycle } = manifest;
  const spec = inner.length === 0 ? manifest.spec : without(manifest.spec, children);
  const drafts: ResourceDraft[] = [
    { origin, written, kind, name, labels, lifecycle, spec, specOrigin, sugar: children },
  ];
  return drafts.concat(...inner.map((child) => nested(manifest, child, specOrigin, problems)));
}

function without(spec: WrittenObject, names: readonly string[]): Record<string, Written> {
  const rest: Record<string, Written> = {};
  for (const name in spec) if (!names.includes(name)) rest[name] = spec[name] ?? null;
  return rest;
}

function nested(
  { kind: parentKind, name, spec }: Manifest,
  kind: NestedKind,
  parent: Origin,
  problems: Problems,
): ResourceDraft[] {
  const { embeddedAs, by } = kind.within;
  const where = `${parentKind}.spec.${embeddedAs}`;
  const entries = spec[embeddedAs] ?? [];
  if (!Array.isArray(entries)) {
    problems.at(parent, [embeddedAs], {
      code: 'INVALID_TYPE',
      message: `\`${where}\` must be a list`,
      hint: 'write `- ` before the first field of each entry',
    });
    return [];
  }
  return (entries as readonly Written[]).flatMap((entry, index) => {
    const origin = inside(parent, embeddedAs, index);
    const place = `${where}[${String(index)}]`;
    if (!isWrittenObject(entry)) {
      problems.at(origin, [], { code: 'INVALID_TYPE', message: `\`${place}\` must be a mapping` });
      return [];
    }
    if (entry[by] !== undefined)
      problems.at(origin, [by], {
        code: 'REDUNDANT_PARENT',
        message: `\`${by}\` cannot be set here: the parent is the resource that contains the entry`,
      });
    const fields = without(entry, [...besideFields, by]);
    // A parent without a name is an error of its own; its entries are checked all the same.
    fields[by] = name === undefined ? 'unnamed' : { ref: name };
    return {
      origin,
      written: entry,
      kind,
      name: readName(entry['name'], origin, place, true, problems),
      labels: readLabels(entry['labels'], origin, place, problems),
      lifecycle: entry['lifecycle'],
      spec: fields,
      specOrigin: origin,
      sugar: besideFields,
    };
  });
}
