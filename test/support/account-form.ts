import type { Emulator } from '../../src/emulator/emulator.ts';
import { embeddedIn, fromWire } from '../../src/derive/wire/from-wire.ts';
import { pointerOf } from '../../src/derive/pointer.ts';
import type { Field, Fields, KindSet } from '../../src/kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecValue } from '../../src/kinds/value.ts';
import type { Actual } from '../../src/model/actual.ts';

/** What an account holds, without ids, times and spellings that mean the same: by address where one is known. */
export type AccountForm = Readonly<Record<string, unknown>>;

/** How to tell resources apart, and what not to look at. */
export interface AccountFormOptions {
  readonly kinds: KindSet;
  /** The address of a resource, by its id. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Pointers into the spec of an address that are left out. */
  readonly held?: ReadonlyMap<string, readonly string[]>;
  /** Whether markers are part of the form. */
  readonly markers?: boolean;
}

/** Reads the whole account of an emulator past any log that counts. */
export async function accountForm(emulator: Emulator, options: AccountFormOptions): Promise<AccountForm> {
  const all = await readAll(emulator, options.kinds);
  const forms = all.map(({ kind, id, spec, marker }): [string, unknown] => {
    const address = options.addresses.get(id);
    const held = address === undefined ? [] : (options.held?.get(address) ?? []);
    const form = formOf(options.kinds.named(kind)?.fields ?? {}, spec, [], { ...options, held });
    const marked = options.markers === true && marker !== undefined ? { marker: { a: marker.a, p: marker.p } } : {};
    return [address ?? `unknown ${kind} ${JSON.stringify(form)}`, { ...form, ...marked }];
  });
  return Object.fromEntries(forms.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every resource of the account as the service shows it. */
export async function readAll(emulator: Emulator, kinds: KindSet): Promise<Actual[]> {
  const found: Actual[] = [];
  for (const { kind: name, id, parent } of emulator.snapshot().resources) {
    const kind = kinds.named(name);
    if (kind === undefined || parent !== undefined) continue;
    const { body } = await emulator.handle({
      method: 'GET',
      path: `${kind.path}/${id}`,
      headers: { authorization: 'Bearer reader', 'example-version': '2' },
      actor: 'reader',
    });
    const answer: unknown = JSON.parse(body);
    found.push(fromWire(kind, answer), ...embeddedIn(kinds, kind, answer));
  }
  return found;
}

interface Place {
  readonly addresses: ReadonlyMap<string, string>;
  readonly held: readonly string[];
}

function formOf(
  fields: Fields,
  spec: Readonly<Record<string, SpecValue>>,
  path: Path,
  at: Place,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, field]): [string, unknown] => [
    name,
    at.held.includes(pointerOf([...path, name])) ? undefined : valueForm(field, spec[name], [...path, name], at),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A value so that equal forms mean the same; undefined: not set. */
function valueForm(field: Field, value: SpecValue | undefined, path: Path, at: Place): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (field.is === 'group') return isSpecObject(value) ? formOf(field.fields, value, path, at) : undefined;
  if (field.is === 'dict')
    return isSpecObject(value) && Object.keys(value).length > 0
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]))
      : undefined;
  if (field.is === 'list') {
    const items = Array.isArray(value) ? (value as readonly SpecValue[]) : [];
    const forms = items.map((item) => JSON.stringify(valueForm(field.of, item, path, at)));
    return forms.length === 0 ? undefined : [...new Set(forms)].sort();
  }
  if (value instanceof Secret) return value.reveal();
  if (typeof value !== 'string') return value;
  if (field.ref !== undefined) return at.addresses.get(value) ?? value;
  if (field.compare === 'caseless') return value.toLowerCase();
  if (field.compare === 'instant') return Date.parse(value);
  if (field.compare === 'key-blob') return value.split(' ', 2).join(' ');
  return field.compare === 'json' && value.startsWith('{') ? sorted(JSON.parse(value)) : value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
