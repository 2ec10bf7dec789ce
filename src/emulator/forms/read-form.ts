import type { Dict, Field, Fields, Leaf, List } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject, type SpecValue, textOf } from '../../kinds/value.ts';
import { picks } from '../behaviours/picks.ts';
import type { Stored, Family } from '../family.ts';
import { listOf } from './plain.ts';
import { shownLeaf } from './shown-leaf.ts';
import type { EmulatorWorld } from '../world.ts';
import { pathSegment } from '../../derive/wire/operations.ts';

interface Reading {
  readonly world: EmulatorWorld;
  readonly origin: string;
  readonly kind: string;
}

/** A resource as answers show it: defaults filled in, ids as Refs, children embedded, and whatever else a service makes of it. */
export function readForm(resource: Stored, world: EmulatorWorld, origin: string): SpecObject {
  const family = world.families.get(resource.kind);
  if (family === undefined) return {};
  const collection = family.path.replace(/\{[^}]+\}/, resource.parent ?? '');
  const values = {
    ...resource.spec,
    ...resource.own,
    id: resource.id,
    uri: `${family.pathOnlyUri === true ? '' : origin}${collection}/${resource.id}`,
    created_at: resource.created_at,
    ...(family.within === undefined || resource.parent === undefined ? {} : { [family.within.by]: resource.parent }),
  };
  const read = {
    ...readGroup(family.fields, values, [], { world, origin, kind: resource.kind }),
    ...family.unexplained,
    ...children(resource, world, origin),
  };
  return world.behaviours.get(resource.kind)?.show?.(read, resource, world, origin) ?? read;
}

function children(resource: Stored, world: EmulatorWorld, origin: string): SpecObject {
  return Object.fromEntries(
    [...world.families.values()].flatMap(({ name, within }) =>
      within?.kind === resource.kind
        ? [[within.embeddedAs, world.account.all(name, resource.id).map((child) => readForm(child, world, origin))]]
        : [],
    ),
  );
}

function readGroup(fields: Fields, values: SpecObject, path: readonly string[], reading: Reading): SpecObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = readField(field, values[name], [...path, name], values, reading);
      const shown = emptied(field, value, reading);
      return shown === undefined ? [] : [[field.readAs ?? name, shown]];
    }),
  );
}

/** What holds nothing, as services differ in showing it. */
function emptied(field: Field, value: Shown, { world: { settings } }: Reading): Shown {
  const isPlural = field.is === 'list' || field.is === 'dict';
  const isEmpty = isPlural && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const shown = isEmpty && settings.normalize.includes('null-lists') ? null : value;
  return shown === null && settings.normalize.includes('no-nulls') ? undefined : shown;
}

/** A value shown; undefined leaves the key out. */
type Shown = SpecValue | undefined;

function readField(field: Field, value: Shown, path: readonly string[], beside: SpecObject, reading: Reading): Shown {
  if (value === undefined) return unsetField(field, path, beside, reading);
  if (field.is === 'leaf') return readLeaf(field, value, reading);
  if (field.is === 'list') return readList(field, value, path, reading);
  if (field.is === 'dict') return readDict(field, value, reading);
  return isSpecObject(value) ? readGroup(field.fields, value, path, reading) : null;
}

/** The value of an unset field: the default, a value chosen by the emulator if the default is unknown, null, or no key. */
function unsetField(field: Field, path: readonly string[], beside: SpecObject, reading: Reading): Shown {
  const { kind, world } = reading;
  if (field.is === 'group') return null;
  if (field.is === 'leaf' && field.ref?.reads === 'object' && field.lifecycle !== 'computed') return null;
  if (field.lifecycle === 'computed' && !(field.is === 'leaf' && field.acceptedOnWrite === true)) return undefined;
  if (world.settings.readBack === 'as-sent') return undefined;
  const pick = picks[`${kind} ${path.join('.')}`]?.(beside, world.settings);
  if (pick !== undefined) return pick;
  if (field.is === 'list') return [];
  if (field.is === 'dict') return {};
  return field.default;
}

function readLeaf(leaf: Leaf, value: SpecValue, { world, origin }: Reading): SpecValue {
  if (leaf.ref?.reads === 'object' && typeof value === 'string')
    return value === '' ? null : { id: value, uri: referenceUri(world.families, leaf.ref.to, value, origin) };
  return shownLeaf(leaf, value, world.settings);
}

/** A set comes back in an order of the service's own. */
function readList(list: List, value: SpecValue, path: readonly string[], reading: Reading): SpecValue {
  const items = listOf(value);
  const { settings, chance } = reading.world;
  const ordered =
    list.order === 'set' && settings.readBack === 'service' && items.length > 1
      ? items
          .map((item) => ({ item, rank: chance.number(4_294_967_296, 'order', JSON.stringify(item)) }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ item }) => item)
      : items;
  return ordered.flatMap((item) => readField(list.of, item, path, {}, reading) ?? []);
}

function readDict(dict: Dict, value: SpecValue, { world }: Reading): SpecValue {
  if (!isSpecObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      textOf(shownLeaf(dict.key, key, world.settings)),
      shownLeaf(dict.of, item, world.settings),
    ]),
  );
}

/** Where something referred to is found. Families that this API does not manage get a path of the usual shape. */
export function referenceUri(families: ReadonlyMap<string, Family>, to: string, id: string, origin: string): string {
  const family = families.get(to);
  const path = family === undefined ? `/${to.endsWith('y') ? `${to.slice(0, -1)}ies` : `${to}s`}` : family.path;
  return `${origin}${path}/${pathSegment(id)}`;
}
