import { OutsideValue, Secret, type SecretOrigin, type SpecValue } from '../../kinds/value.ts';
import type { StateValue } from '../../model/state.ts';

/** A remembered value as one of a spec, to be shown: what is known of a secret by its digest alone is a secret of no use. */
export function fromState(value: StateValue): SpecValue {
  if (Array.isArray(value)) return value.map((item) => fromState(item as StateValue));
  if (typeof value !== 'object' || value === null) return value;
  const origin = originInState(value);
  if (origin !== undefined) return new OutsideValue('remembered', origin);
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === 'secret' && typeof entries[0][1] === 'string')
    return new Secret('remembered');
  return Object.fromEntries(entries.map(([key, item]) => [key, fromState(item)]));
}

/** Where a remembered value came from, if it is kept as a digest because it came from outside. */
export function originInState(value: unknown): SecretOrigin | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { secret, from_env, from_file } = value as Readonly<Record<string, unknown>>;
  if (typeof secret !== 'string' || Object.keys(value).length !== 2) return undefined;
  if (typeof from_env === 'string') return { from_env };
  return typeof from_file === 'string' ? { from_file } : undefined;
}
