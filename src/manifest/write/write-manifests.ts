import { naturalName, type TakenNames, unique, variableNamed } from './write-names.ts';
import { writtenSpec } from './write-spec.ts';
import { apiVersion } from '../check/manifest-shape.ts';
import type { Written, WrittenObject } from '../read/written.ts';
import { unsupportedNames } from '../../derive/check/unsupported-fields.ts';
import type { Kind, Profile, KindSet } from '../../kinds/kind.ts';
import type { Actual } from '../../model/actual.ts';
import { splitAddress, type Address } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { isName } from '../../model/name.ts';

/** A live resource to be written as a manifest. */
export interface ToWrite {
  readonly actual: Actual;
  /** Its address, if it is of this stack. */
  readonly address?: Address;
  /** Owned by this stack, but only its id identifies it: a plan would not find it. */
  readonly hidden?: boolean;
  /** The id of the other stack whose marker it carries. */
  readonly otherStack?: string;
  /** What to name it, if it has no address. */
  readonly name?: string;
  /** It has no id yet: the manifest creates it. */
  readonly isNew?: boolean;
}

/** Live resources as manifests. */
export interface WrittenManifests {
  /** Each with a name for its file, unique among those of its kind. */
  readonly documents: readonly { readonly kind: string; readonly file: string; readonly value: WrittenObject }[];
  /** Environment variables that the manifests take secrets from. */
  readonly variables: readonly string[];
}

/** Writes live resources as manifests. A resource that this stack does not own gets `adopt`; a nested one is written inside its parent; ids are replaced by names where possible. */
export function writeManifests(
  all: readonly ToWrite[],
  {
    kinds,
    prefix = '',
    profile = 'completed',
  }: {
    readonly kinds: KindSet;
    /** What names of variables begin with. */
    readonly prefix?: string;
    /** Fields that it cannot write are omitted. */
    readonly profile?: Profile;
  },
): WrittenManifests {
  const sorted = [...all].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const names = namesOf(sorted, kinds);
  const ids = new Set<string | undefined>(sorted.map(({ actual }) => actual.id));
  const inside = groupBy(sorted, ({ actual }) => `${actual.kind} ${actual.parent ?? ''}`);
  const variables: TakenNames = new Map();
  const files = new Map<string, TakenNames>();
  const documents = kinds.all.flatMap((kind) =>
    sorted
      .filter((one) => one.actual.kind === kind.name && !ids.has(one.actual.parent))
      .map((one) => ({ one, name: names.get(keyOf(one.actual)) }))
      .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
      .map(({ one, name }) => ({
        kind: kind.name,
        file: unique(name ?? naturalName(kind, one.actual), namesFor(files, kind.name)),
        value: document(kind, one, name),
      })),
  );
  return { documents, variables: [...variables.keys()].sort() };

  function document(kind: Kind, one: ToWrite, name: string | undefined): WrittenObject {
    const nested = kinds.within(kind.name).flatMap((child): [string, Written][] => {
      const children = inside.get(`${child.name} ${one.actual.id}`) ?? [];
      const inOrder = children.toSorted((a, b) => (keyIn(child, a.actual) < keyIn(child, b.actual) ? -1 : 1));
      const entries = inOrder.map((each) => entry(child, each, [child.within.by]));
      return entries.length === 0 ? [] : [[child.within.embeddedAs, entries]];
    });
    const { name: _, lifecycle, ...spec } = entry(kind, one, []);
    return {
      apiVersion,
      kind: kind.name,
      metadata: name === undefined ? {} : { name },
      ...(lifecycle === undefined ? {} : { lifecycle }),
      spec: { ...spec, ...Object.fromEntries(nested) },
    };
  }

  function entry(kind: Kind, one: ToWrite, without: readonly string[]): WrittenObject {
    const { actual } = one;
    const name = names.get(keyOf(actual));
    const home = names.get(`${kind.within?.kind ?? ''} ${actual.parent ?? ''}`);
    const lifecycle = lifecycleOf(kind, one, name);
    const spec = writtenSpec(kind, actual, {
      nameOf: (to, id) => names.get(`${to} ${id}`),
      variable: (path) => variableNamed([home ?? '', name ?? keyIn(kind, actual), ...path], prefix, variables),
      without: [...without, ...unsupportedNames(kind.fields, profile)],
    });
    return {
      ...(name === undefined ? {} : { name }),
      ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
      ...spec,
    };
  }
}

// The oldest gets the best name, and what has one already keeps it.
function rank({ actual: { computed, id }, address }: ToWrite): string {
  const made = computed['created_at'];
  return `${address === undefined ? '1' : '0'} ${typeof made === 'string' ? made : ''} ${id}`;
}

function keyOf({ kind, id }: Actual): string {
  return `${kind} ${id}`;
}

/** The name of each resource, by kind and id. A nested resource is identified by its key; it gets a name only if it had one, or if its key is not unique. */
function namesOf(sorted: readonly ToWrite[], kinds: KindSet): ReadonlyMap<string, string> {
  const taken = new Map<string, TakenNames>();
  const keys = new Set<string>();
  return new Map(
    sorted.flatMap(({ actual, address, name: wanted }): [string, string][] => {
      const kind = kinds.named(actual.kind);
      if (kind === undefined) return [];
      const scope = namesFor(taken, `${kind.name} ${actual.parent ?? ''}`);
      const { name } = splitAddress(address ?? actual.marker?.a ?? '');
      const given = wanted ?? (kind.within === undefined ? name : name.slice(name.indexOf(':') + 1));
      if (isName(given)) return [[keyOf(actual), unique(given, scope)]];
      const key = `${kind.name} ${actual.parent ?? ''} ${keyIn(kind, actual)}`;
      if (kind.within !== undefined && !keys.has(key)) {
        keys.add(key);
        return [];
      }
      return [[keyOf(actual), unique(naturalName(kind, actual), scope)]];
    }),
  );
}

function lifecycleOf(
  kind: Kind,
  { actual, address, hidden, otherStack, isNew }: ToWrite,
  name: string | undefined,
): WrittenObject {
  if (isNew === true) return {};
  if (address === undefined)
    return { adopt: actual.id, ...(otherStack === undefined ? {} : { adopt_from: otherStack }) };
  const isProtected = actual.marker?.p.includes('p') ?? kind.protectedBecause !== undefined;
  return {
    ...(isProtected === (kind.protectedBecause !== undefined) ? {} : { protect: isProtected }),
    ...(actual.marker?.p.includes('r') === true ? { on_remove: 'retain' } : {}),
    ...(hidden === true ? { adopt: actual.id } : {}),
    // An address that did not fit into its marker, and that nobody remembers.
    ...(kind.within === undefined && splitAddress(address).name !== name ? { moved_from: address } : {}),
  };
}

function keyIn({ within }: Kind, { spec, id }: Actual): string {
  const key = within === undefined ? undefined : spec[within.key];
  return typeof key === 'string' ? key : id;
}

function namesFor(scopes: Map<string, TakenNames>, key: string): TakenNames {
  const found: TakenNames = scopes.get(key) ?? new Map<string, number>();
  scopes.set(key, found);
  return found;
}
