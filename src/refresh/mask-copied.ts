import { originInState } from '../derive/from-state.ts';
import { knownOf } from '../derive/known-spec.ts';
import { OutsideValue } from '../kinds/value.ts';
import type { State } from '../model/state.ts';

type Json = Readonly<Record<string, unknown>>;

/** Masks, in an object that repeats fields of a resource it names, those of which state records that their values came from outside. */
export function maskCopied(object: Json, state: State | undefined): Json {
  const named = new Set(Object.values(object).map(idIn));
  const entries = Object.values(state?.entries ?? {}).filter(({ id, deposed = [] }) =>
    [id, ...deposed].some((one) => named.has(one)),
  );
  // What an unfinished creation made has no entry yet; whatever is not ours either is masked with it for as long.
  const intended = Object.values(state?.intents ?? {}).flatMap(({ spec }) => (spec === undefined ? [] : [spec]));
  const specs = entries.length > 0 ? entries.flatMap(knownOf) : intended;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const origin = specs.map((spec) => originInState(spec[name])).find((found) => found !== undefined);
      return [name, origin === undefined || value === '' ? value : String(new OutsideValue('', origin))];
    }),
  );
}

function idIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
}
