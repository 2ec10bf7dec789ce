import { isDeepStrictEqual } from 'node:util';
import { checkSpec, type Finding } from '../../src/derive/check/check-spec.ts';
import type { Kind, KindSet } from '../../src/kinds/kind.ts';
import { Ref, type Path, type SpecValue } from '../../src/kinds/value.ts';
import { isMapping, referredTo, type Item, type Written, type WrittenObject } from './item.ts';
import { externals } from './pools.ts';

/** Makes a valid stack out of almost valid items: drops what repeats a name or a unique value, refers to nothing, lives nowhere or breaks a rule. */
export function mend(items: readonly Item[], kinds: KindSet): Item[] {
  const claimed = new Set<string>();
  const sound: Item[] = [];
  const tops = items.filter(({ kind }) => kinds.named(kind)?.within === undefined);
  const nested = items.filter(({ kind }) => kinds.named(kind)?.within !== undefined);
  for (const item of tops) keep(item, tops);
  for (const item of nested)
    if (sound.some(({ kind, name }) => kind === kinds.named(item.kind)?.within?.kind && name === item.parent))
      keep(item, sound);
  // References may have led to an item that has been dropped since.
  return sound.flatMap((item) => stillSound(item) ?? []);

  function stillSound(item: Item): Item | undefined {
    const spec = withoutDangling(item, sound, kinds);
    return isDeepStrictEqual(spec, item.spec) ? item : mended({ ...item, spec }, sound, kinds);
  }

  function keep(item: Item, among: readonly Item[]): void {
    const kind = kinds.named(item.kind);
    const whole = mended(item, among, kinds);
    if (kind === undefined || whole === undefined) return;
    const claims = claimsOf(kind, whole);
    if (claims.some((claim) => claimed.has(claim))) return;
    for (const claim of claims) claimed.add(claim);
    sound.push(whole);
  }
}

/** What an item holds that no other may. */
function claimsOf(kind: Kind, { name, parent, spec }: Item): string[] {
  const key = kind.within === undefined ? undefined : spec[kind.within.key];
  const address = `${kind.name} ${parent ?? ''}:${name ?? (typeof key === 'string' ? key : '')}`;
  const held = kind.unique.flatMap(({ field, scope, compare }) =>
    [spec[field] ?? []].flat().map((value) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [field, scope === 'parent' ? (parent ?? '') : '', compare === 'caseless' ? text.toLowerCase() : text].join(
        ' ',
      );
    }),
  );
  return [address, ...held];
}

function mended(item: Item, among: readonly Item[], kinds: KindSet): Item | undefined {
  const kind = kinds.named(item.kind);
  if (kind === undefined) return undefined;
  let spec = withoutDangling(item, among, kinds);
  for (let round = 0; round < 8; round++) {
    const [finding] = problemsOf(kind, spec);
    if (finding === undefined) return { ...item, spec };
    const smaller = withoutPath(spec, finding.path);
    if (smaller === undefined) return undefined;
    spec = smaller;
  }
  return undefined;
}

function problemsOf(kind: Kind, spec: WrittenObject): readonly Finding[] {
  const fields = Object.fromEntries(Object.entries(kind.fields).filter(([name]) => name !== kind.within?.by));
  return checkSpec({ ...kind, fields }, asSpec(spec) as Record<string, SpecValue>);
}

/** Written references as the checks know them. */
function asSpec(value: Written): SpecValue {
  const name = referredTo(value);
  if (name !== undefined) return new Ref(name);
  if (Array.isArray(value)) return (value as readonly Written[]).map(asSpec);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asSpec(inner)]));
}

/** What an item says, without references to what is not among these. */
function withoutDangling({ kind, spec }: Item, among: readonly Item[], kinds: KindSet): WrittenObject {
  const known = new Set([...among.map(({ name }) => name ?? ''), ...Object.values(externals).flat()]);
  const has = (to: string, name: string) =>
    externals[to]?.includes(name) ?? among.some((other) => other.kind === to && other.name === name);
  const clean = (value: Written, to: string | undefined): Written => {
    if (Array.isArray(value))
      return (value as readonly Written[]).flatMap((item) => {
        const name = referredTo(item);
        return name === undefined || exists(name, to) ? [item] : [];
      });
    const name = referredTo(value);
    return name !== undefined && !exists(name, to) ? null : value;
  };
  const exists = (name: string, to: string | undefined) => (to === undefined ? known.has(name) : has(to, name));
  const walk = (fields: Kind['fields'], object: WrittenObject): WrittenObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]): [string, Written][] => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (field?.is === 'group' && isMapping(value)) return [[name, walk(field.fields, value)]];
        const to =
          field?.is === 'leaf'
            ? field.ref?.to
            : field?.is === 'list' && field.of.is === 'leaf'
              ? field.of.ref?.to
              : undefined;
        const cleaned = clean(value, to);
        return cleaned === null ? [] : [[name, cleaned]];
      }),
    );
  return walk(kinds.named(kind)?.fields ?? {}, spec);
}

/** The object without what stands at a path; undefined when that is the object itself. */
function withoutPath(object: WrittenObject, [first, ...rest]: Path): WrittenObject | undefined {
  if (first === undefined) return undefined;
  const value = object[String(first)];
  const { [String(first)]: _, ...others } = object;
  if (rest.length === 0 || !isMapping(value)) return others;
  const smaller = withoutPath(value, rest);
  return smaller === undefined ? others : { ...object, [String(first)]: smaller };
}
