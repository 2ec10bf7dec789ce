import { joinMetadata, markerField } from '../../derive/marker.ts';
import { isSpecObject, Secret, textOf, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import type { Family, Stored } from '../family.ts';
import { timeOf, type EmulatorWorld } from '../world.ts';

/** Puts a resource of another account into this one as it is there: under its id, with what that service has decided. */
export function copyInto(world: EmulatorWorld, actual: Actual): void {
  const family = world.families.get(actual.kind);
  if (family === undefined) return;
  const { id, parent, computed } = actual;
  const { created_at, ...decided } = ownOf(family, computed);
  const draft: Stored = {
    kind: family.name,
    id,
    ...(parent === undefined ? {} : { parent }),
    seq: world.account.created++,
    created_at: typeof created_at === 'string' ? created_at : timeOf(world.settings.clock()),
    spec: writtenForm(family, actual, world),
    own: {},
  };
  const behaviour = world.behaviours.get(family.name);
  const own = behaviour?.decide?.(draft, undefined, world) ?? {};
  const resource = { ...draft, own: { ...own, ...decided } };
  world.account.put(resource);
  behaviour?.follow?.(resource, undefined, world);
}

/** Values set by the service for the resource itself; those of a module are in the module. */
function ownOf({ fields }: Family, computed: SpecObject): SpecObject {
  return Object.fromEntries(Object.entries(computed).filter(([name]) => fields[name]?.lifecycle === 'computed'));
}

/** The spec as somebody must have written it for it to read so. */
function writtenForm({ name, within }: Family, actual: Actual, { settings }: EmulatorWorld): SpecObject {
  const { spec, computed, marker } = actual;
  const others = Object.entries(spec).filter(([key]) => key !== within?.by);
  const own = Object.fromEntries(others.map(([key, value]) => [key, written(value, computed[key])]));
  const kind = settings.kinds.named(name);
  const field = kind && markerField(kind);
  if (field === undefined || marker === undefined) return own;
  return { ...own, [field]: joinMetadata(textOf(own[field]), marker) };
}

function written(value: SpecValue, computed: SpecValue | undefined): SpecValue {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map((item) => written(item as SpecValue, undefined));
  if (!isSpecObject(value)) return value;
  const decided = isSpecObject(computed) ? computed : {};
  const inside = Object.entries(value).map(([key, item]): [string, SpecValue] => [key, written(item, decided[key])]);
  return { ...decided, ...Object.fromEntries(inside) };
}
