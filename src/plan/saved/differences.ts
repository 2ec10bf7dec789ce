import { inNaturalOrder } from '../../model/natural-order.ts';
import type { PlanDifference } from '../../diagnostics/errors.ts';
import { isSpecObject, textOf } from '../../kinds/value.ts';
import type { Comparable } from './comparable.ts';
import { decodeValue, shownSecret, type Encoded } from './encoded.ts';

type Part = Readonly<Record<string, Encoded>>;

/** Where two plans differ, resource by resource and field by field; empty when they are equal. */
export function differences(approved: Comparable, now: Comparable): PlanDifference[] {
  const addresses = [...new Set([...approved.keys(), ...now.keys()])].sort(inNaturalOrder);
  return addresses.flatMap((address) => {
    const [then, today] = [approved.get(address), now.get(address)];
    return then === today ? [] : differing(partOf(then), partOf(today)).map((one) => ({ address, ...one }));
  });
}

type Difference = Omit<PlanDifference, 'address'>;

function differing(then: Part | undefined, today: Part | undefined): Difference[] {
  const facts = ['action', 'id', 'blocked', 'file', 'recorded', 'hazards'].map((name) =>
    unlessSame(name, then?.[name], today?.[name]),
  );
  const access = accessApart(then, today);
  const [before, after] = [fieldsOf(then), fieldsOf(today)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const fields = names.map((name) => unlessSame(name, before.get(name), after.get(name)));
  const requests = unlessSame('requests', sentOf(then), sentOf(today));
  const found = [...facts, access, ...fields, requests].flat();
  // What is sent follows from the fields; what differs in it alone is a value that was to be left as it is.
  return found.length > 0 ? found : bodies(then, today);
}

/** The URLs whose access the change does not affect alike on both sides. */
function accessApart(then: Part | undefined, today: Part | undefined): Difference[] {
  const [before, after] = [then, today].map((part) => new Map(listIn(part?.['access']).flatMap(effectOnUrls)));
  const apart = (own = new Map<string, string>(), other = new Map<string, string>()): string | undefined =>
    shown([...new Set([...own].flatMap(([effect, url]) => (other.has(effect) ? [] : [url])))]);
  const [approved, now] = [apart(before, after), apart(after, before)];
  if (approved === undefined && now === undefined) return [];
  return [{ what: 'access', approved, now: approved === now ? `${now ?? ''} (with other access control)` : now }];
}

/** Each URL of an effect, by all that the effect on it is. */
function effectOnUrls(effect: Encoded): [string, string][] {
  if (!isSpecObject(effect)) return [];
  const { urls, ...rest } = effect;
  return listIn(urls as Encoded).map((url) => [JSON.stringify([url, rest]), textOf(url)]);
}

function unlessSame(what: string, then: Encoded | undefined, today: Encoded | undefined): Difference[] {
  const [approved, now] = [shown(then), shown(today)];
  if (approved === undefined && now === undefined) return [];
  if (JSON.stringify(then) === JSON.stringify(today)) return [];
  // Two secrets look the same.
  return [{ what, approved, now: approved === now ? `${now ?? ''} (a different value)` : now }];
}

/** Each field that changes, by its name, as what it changes from and to. */
function fieldsOf(part: Part | undefined): Map<string, Encoded> {
  return new Map(
    listIn(part?.['fields']).flatMap((field): [string, Encoded][] => {
      if (!isSpecObject(field)) return [];
      const name = listIn(field['path'] as Encoded).map(String);
      return [[name.join('.'), { from: field['before'], to: field['after'] } as Part]];
    }),
  );
}

/** The requests, without what is in them. */
function sentOf(part: Part | undefined): Encoded {
  return listIn(part?.['requests']).flatMap((request) =>
    isSpecObject(request) ? [`${textOf(request['method'])} ${textOf(request['path'])}`] : [],
  );
}

function bodies(then: Part | undefined, today: Part | undefined): Difference[] {
  const [before, after] = [listIn(then?.['requests']), listIn(today?.['requests'])];
  return after.flatMap((request, at) => insideOf(before[at] ?? null, request, 'request body'));
}

/** What differs in two values, as deep as both are groups. */
function insideOf(then: Encoded, today: Encoded, what: string): Difference[] {
  if (!isGroup(then) || !isGroup(today)) return unlessSame(what, then, today);
  const names = [...new Set([...Object.keys(then), ...Object.keys(today)])];
  return names.flatMap((name) => insideOf(then[name] ?? null, today[name] ?? null, `${what}.${name}`));
}

function isGroup(value: Encoded): value is Part {
  return isSpecObject(value) && !('$secret' in value) && !('$ref' in value);
}

/** A part as text; undefined if it is empty. A change is shown as before and after. */
function shown(value: Encoded | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => shown(item as Encoded)).join(', ');
  if (isSpecObject(value) && 'from' in value && 'to' in value)
    return `${valueText(value['from'])} -> ${valueText(value['to'])}`;
  return valueText(value);
}

/** A value of a field as text; a secret as nothing but that. */
function valueText(value: unknown): string {
  return value === undefined || value === null ? 'not set' : JSON.stringify(value, readable);
}

function readable(_key: string, value: unknown): unknown {
  if (!isSpecObject(value)) return value;
  const { $ref, $secret, $plain } = value;
  if (typeof $ref === 'string') return `{${$ref}}`;
  return $secret === undefined ? ($plain ?? value) : String(decodeValue(value, shownSecret));
}

function listIn(value: Encoded | undefined): readonly Encoded[] {
  return Array.isArray(value) ? (value as readonly Encoded[]) : [];
}

function partOf(text: string | undefined): Part | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Part);
}
