import { durationText } from '../../derive/duration.ts';
import type { Field, Fields, Kind, KindSet } from '../../kinds/kind.ts';
import { isSpecObject, Ref, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { splitAddress } from '../../model/address.ts';
import { isName } from '../../model/name.ts';
import type { Desired, Lifecycle } from '../../model/resource.ts';
import { apiVersion } from '../check/manifest-shape.ts';
import type { Written, WrittenObject } from '../read/written.ts';
import { type TakenNames, variableNamed } from './write-names.ts';
import { writtenMapping } from './write-spec.ts';

/** Resources as manifests of their own. */
export interface RenderedManifests {
  readonly documents: readonly { readonly resource: Desired; readonly value: WrittenObject }[];
  /** Environment variables in place of secrets that are written in manifests. */
  readonly variables: readonly string[];
}

/** Writes each resource as the manifest it comes to: patches applied, module sets and values in place, references and secrets by name; names of variables begin with `prefix`. */
export function renderedManifests(resources: readonly Desired[], kinds: KindSet, prefix: string): RenderedManifests {
  const variables: TakenNames = new Map();
  const documents = resources.map((resource) => ({ resource, value: manifest(resource) }));
  return { documents, variables: [...variables.keys()].sort() };

  function manifest({ kind: name, address, labels, lifecycle, spec }: Desired): WrittenObject {
    const kind = kinds.named(name);
    const own = ownName(address);
    const metadata = { ...(own === undefined ? {} : { name: own }), ...(isEmpty(labels) ? {} : { labels }) };
    return {
      apiVersion,
      kind: name,
      metadata,
      ...(isEmpty(lifecycle) ? {} : { lifecycle: writtenLifecycle(lifecycle) }),
      spec: group(kind?.fields ?? {}, parentFirst(kind, spec), [address]),
    };
  }

  function group(fields: Fields, values: SpecObject, path: Path): WrittenObject {
    return Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, written(fields[name], value, [...path, name])]),
    );
  }

  function written(of: Field | undefined, value: SpecValue, path: Path): Written {
    if (value instanceof Ref)
      return value.field === undefined ? { ref: splitAddress(value.to).name } : { ...value.toJSON() };
    if (value instanceof Secret) return { ...(value.origin ?? { from_env: variableNamed(path, prefix, variables) }) };
    if (Array.isArray(value))
      return (value as readonly SpecValue[]).map((item, index) =>
        written(of?.is === 'list' ? of.of : undefined, item, [...path, index]),
      );
    if (isSpecObject(value)) {
      if (of?.is === 'group') return group(of.fields, value, path);
      const each = of?.is === 'dict' ? of.of : undefined;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, written(each, item, [...path, key])]));
    }
    const isJson = of?.is === 'leaf' && of.compare === 'json' && typeof value === 'string';
    return (isJson ? writtenMapping(value) : undefined) ?? (value as Written);
  }
}

/** The name in its manifest; a resource inside another may have none, and its address ends with its key. */
function ownName(address: string): string | undefined {
  const { name } = splitAddress(address);
  const own = name.slice(name.indexOf(':') + 1);
  return isName(own) ? own : undefined;
}

function writtenLifecycle({ valid_for, renew_before, ...rest }: Lifecycle): WrittenObject {
  return {
    ...rest,
    ...(valid_for === undefined ? {} : { valid_for: durationText(valid_for) }),
    ...(renew_before === undefined ? {} : { renew_before: durationText(renew_before) }),
  };
}

function isEmpty(block: object): boolean {
  return Object.keys(block).length === 0;
}

function parentFirst(kind: Kind | undefined, spec: SpecObject): SpecObject {
  const by = kind?.within?.by;
  const { [by ?? '']: parent, ...rest } = spec;
  return by === undefined || parent === undefined ? spec : { [by]: parent, ...rest };
}
