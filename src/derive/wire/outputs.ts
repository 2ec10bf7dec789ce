import type { Field, Fields, Kind, List } from '../../kinds/kind.ts';
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import { isSpecObject, Secret, type SpecValue } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';

/** A value that other programs may have. */
export type OutputValue = null | boolean | number | string | readonly OutputValue[] | OutputObject;

/** What other programs may know of a resource, by field. */
export interface OutputObject {
  readonly [field: string]: OutputValue;
}

/** The outputs of a live resource: its fields as the service has them, and the public URLs that lead to it. No secret is among them. */
export function outputsOf(
  kind: Kind,
  { id, parent, spec, computed }: Actual,
  served: readonly ServedEndpoint[],
): OutputObject {
  const urls = served.filter(({ server, address }) => server === id || address === id).map(({ url }) => url);
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    ...(urls.length === 0 ? {} : { urls: urls.sort() }),
    ...fieldsOf(kind.fields, spec, computed),
  };
}

/** Of the outputs of a resource, those by which others find it. */
export function primaryOutputs(kind: Kind, outputs: OutputObject): OutputObject {
  const { printerColumns, clientAddress, traffic } = kind;
  const found = [clientAddress?.by ?? [], traffic?.listens ?? []].flat();
  const names = new Set(['id', 'urls', ...found, ...printerColumns]);
  return Object.fromEntries([...names].flatMap((name) => (outputs[name] === undefined ? [] : [[name, outputs[name]]])));
}

/** Whether a path leads to a secret of a kind. */
export function isSecretAt(fields: Fields, [name = '', ...rest]: readonly string[]): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field?.is === 'group') return isSecretAt(field.fields, rest);
  return field?.is === 'leaf' && field.secret === true;
}

/** What is written and what only the service decides, each in its place, in the order of the kind. */
function fieldsOf(fields: Fields, spec: unknown, computed: unknown): OutputObject {
  const from = (values: unknown, name: string): SpecValue | undefined =>
    isSpecObject(values) ? values[name] : undefined;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, OutputValue][] => {
      const [written, decided] = [from(spec, name), from(computed, name)];
      if (field.is === 'group')
        return isSpecObject(written ?? decided) ? [[name, fieldsOf(field.fields, written, decided)]] : [];
      const value = valueOf(field, written ?? decided);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A value without its secrets and without what no field describes; undefined where nothing is set. */
function valueOf(field: Field, value: SpecValue | undefined): OutputValue | undefined {
  if (value === undefined || value === null || value === '' || value instanceof Secret) return undefined;
  if (field.is === 'leaf') return field.secret === true || typeof value === 'object' ? undefined : value;
  if (field.is === 'list') return Array.isArray(value) ? itemsOf(field, value) : undefined;
  if (!isSpecObject(value)) return undefined;
  if (field.is === 'group') return fieldsOf(field.fields, value, value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const inner = valueOf(field.of, item);
      return inner === undefined ? [] : [[key, inner]];
    }),
  );
}

/** A set comes in any order, and is returned in one. */
function itemsOf({ of, order }: List, items: readonly SpecValue[]): OutputValue[] {
  const all = items.flatMap((item) => valueOf(of, item) ?? []);
  return order === 'set' ? all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : all;
}
