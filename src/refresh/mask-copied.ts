import { knownOf, originInState } from '../derive/stored/from-state.ts';
import { splitMetadata } from '../derive/marker.ts';
import { maskExternal } from '../derive/external/mask-external.ts';
import type { KindSet } from '../kinds/kind.ts';
import { OutsideValue } from '../kinds/value.ts';
import type { State } from '../model/state.ts';
import { createDigester } from '../state/digest.ts';

type Json = Readonly<Record<string, unknown>>;

/** Masks external values, as far as state has recorded them, in an object that copies fields of a resource which it refers to. */
export function maskCopied(object: Json, kinds: KindSet, state: State | undefined): Json {
  const named = new Set(Object.values(object).map(idIn));
  const specs = Object.values(state?.entries ?? {})
    .filter(({ id, deposed = [] }) => [id, ...deposed].some((one) => named.has(one)))
    .flatMap(knownOf);
  const maskEqual = maskExternal(state?.externalValues ?? [], createDigester(state?.salt ?? ''));
  const equalOf = (name: string, value: unknown): string | undefined => {
    if (typeof value !== 'string') return undefined;
    const { text } = splitMetadata(value);
    if (specs.some((spec) => spec[name] === text)) return undefined;
    const found = kinds.all.map((kind) => maskEqual(kind, { [name]: text }, undefined)[name]);
    return found.find((one) => one instanceof OutsideValue)?.toString();
  };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const origin = specs.map((spec) => originInState(spec[name])).find((found) => found !== undefined);
      const mask = origin === undefined ? equalOf(name, value) : String(new OutsideValue('', origin));
      return [name, mask === undefined || value === '' ? value : mask];
    }),
  );
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
}
