import { canonical, canonicalKey } from '../../derive/canonical.ts';
import { jsonObject } from '../../derive/marker.ts';
import type { Field, Fields, Group, Kind, Leaf, List } from '../../kinds/kind.ts';
import { isSpecObject, OutsideValue, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import { isExactNumber } from '../../model/json-object.ts';
import { limits } from '../read/limits.ts';
import { originIn } from '../read/value-source.ts';
import { type Written, type WrittenObject, refusedKeys } from '../read/written.ts';

/** What writing a spec needs to know of the rest. */
export interface WriteSpecOptions {
  /** The name under which the resource with an id is written too, if it is. */
  readonly nameOf: (kind: string, id: string) => string | undefined;
  /** The variable that a secret is to be taken from. */
  readonly variable: (path: Path) => string;
  /** Fields that the position in the manifest determines already. */
  readonly without: readonly string[];
}

/** The spec of a live resource for a manifest: without computed values and defaults, and with secrets as names of variables. */
export function writtenSpec(kind: Kind, actual: Actual, options: WriteSpecOptions): WrittenObject {
  const times = timesOfCreation(kind, actual);
  return group(kind, actual.spec, []);

  function group({ fields, rules }: Pick<Group, 'fields' | 'rules'>, value: SpecObject, path: Path): WrittenObject {
    const set = withHiddenSecrets(fields, rules, value);
    const entries = Object.entries(fields).flatMap(([name, of]): [string, Written][] => {
      const inner = [...path, name];
      const item = set[name] ?? null;
      const isLeft = of.lifecycle === 'computed' || (path.length === 0 && options.without.includes(name));
      return isLeft || item === null || saysNothing(of, item) ? [] : [[name, field(of, item, inner)]];
    });
    return Object.fromEntries(entries);
  }

  function saysNothing(of: Field, value: SpecValue): boolean {
    if (of.required !== undefined || of.is === 'group') return false;
    if (of.is === 'leaf' && of.defaultsToTime === true && typeof value === 'string' && times(value)) return true;
    return canonical(of, value, () => 'set') === null;
  }

  function field(of: Field, value: SpecValue, path: Path): Written {
    if (of.is === 'leaf') return leaf(of, value, path);
    if (of.is === 'list') return list(of, value, path);
    if (!isSpecObject(value)) return {};
    if (of.is === 'group') return group(of, value, path);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, leaf(of.of, item, [...path, key])]));
  }

  function list({ of, order }: List, value: SpecValue, path: Path): Written {
    const items: readonly SpecValue[] = Array.isArray(value) ? value : [];
    // A set comes in any order, and is written in one.
    const ordered =
      order === 'set' ? items.toSorted((a, b) => (canonicalKey(of, a) < canonicalKey(of, b) ? -1 : 1)) : items;
    return ordered.map((item, index) => field(of, item, [...path, index]));
  }

  function leaf(of: Leaf, value: SpecValue, path: Path): Written {
    if (of.secret === true) return { from_env: options.variable(path) };
    if (value instanceof OutsideValue) return { ...(value.origin ?? { from_env: options.variable(path) }) };
    if (typeof value !== 'string') return typeof value === 'object' ? null : value;
    const name = of.ref === undefined ? undefined : options.nameOf(of.ref.to, value);
    if (name !== undefined) return { ref: name };
    return (of.compare === 'json' ? writtenMapping(value) : undefined) ?? value;
  }
}

/** Services may answer nothing for a secret that is set; where the fields beside it need one, there is one. */
function withHiddenSecrets(fields: Fields, rules: Group['rules'], value: SpecObject): SpecObject {
  const missing = Object.entries(fields).filter(
    ([name, of]) => of.is === 'leaf' && of.secret === true && (value[name] ?? null) === null,
  );
  const broken = (spec: SpecObject): number => rules.reduce((sum, rule) => sum + rule.check(spec).length, 0);
  return missing.reduce<SpecObject>((spec, [name, of]) => {
    const more = { ...spec, [name]: new Secret('hidden') };
    return of.required !== undefined || broken(more) < broken(spec) ? more : spec;
  }, value);
}

/** Finds times that the service has set when the resource was created: its start, and its default end. */
function timesOfCreation({ renewal }: Kind, { computed }: Actual): (text: string) => boolean {
  const made = Date.parse(typeof computed['created_at'] === 'string' ? computed['created_at'] : '');
  const usual = [
    { at: made, within: 60_000 },
    // A year has a day more now and then.
    { at: made + (renewal?.defaultSeconds ?? NaN) * 1000, within: 2 * 86_400_000 },
  ];
  return (text) => usual.some(({ at, within }) => Math.abs(Date.parse(text) - at) < within);
}

/** JSON text as a mapping, if a manifest with that mapping means the same. */
export function writtenMapping(text: string): WrittenObject | undefined {
  const object = jsonObject(text);
  if (object === undefined || !isSafe(object, 0)) return undefined;
  const written = object as WrittenObject;
  return originIn(written) === undefined ? written : undefined;
}

function isSafe(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return isExactNumber(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > limits.depth / 2) return false;
  return Object.entries(value).every(([key, item]) => !refusedKeys.has(key) && isSafe(item, depth + 1));
}
