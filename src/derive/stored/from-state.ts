import { OutsideValue, Secret, type SecretOrigin, type SpecValue } from '../../kinds/value.ts';
import type { Entry, StateObject, StateValue } from '../../model/state.ts';

/** A remembered value as one of a spec, to be shown: what is known of a secret by its digest alone is a secret of no use. */
export function fromState(value: StateValue): SpecValue {
  if (Array.isArray(value)) return value.map((item) => fromState(item as StateValue));
  if (typeof value !== 'object' || value === null) return value;
  const origin = originInState(value);
  if (origin !== undefined) return new OutsideValue('remembered', origin);
  if (isDigest(value)) return new Secret('remembered');
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromState(item)]));
}

/** Where a remembered value came from, if it is kept as a digest because it came from outside. */
export function originInState(value: unknown): SecretOrigin | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { secret, from_env, from_file } = value as Readonly<Record<string, unknown>>;
  if (typeof secret !== 'string' || Object.keys(value).length !== 2) return undefined;
  if (typeof from_env === 'string') return { from_env };
  return typeof from_file === 'string' ? { from_file } : undefined;
}

/** Whether a remembered value is kept as a digest: a secret, or a value from outside. */
export function isDigest(value: object): boolean {
  const isSecret = 'secret' in value && typeof value.secret === 'string';
  return isSecret && (Object.keys(value).length === 1 || originInState(value) !== undefined);
}

/** What an entry remembers of the fields of its resource: as last applied, and what the service would not clear. */
export function knownOf({ spec, unclearedFields }: Pick<Entry, 'spec' | 'unclearedFields'>): readonly StateObject[] {
  if (unclearedFields === undefined) return [spec];
  const left = Object.entries(unclearedFields).map(([pointer, value]) => [pointer.slice(1), value] as const);
  return [spec, Object.fromEntries(left)];
}
