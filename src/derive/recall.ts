import { Secret, type SpecValue } from '../kinds/value.ts';
import type { RememberedValue } from '../model/state.ts';

/** A remembered value as one of a spec, to be shown: what is known of a secret by its digest alone is a secret of no use. */
export function recall(value: RememberedValue): SpecValue {
  if (Array.isArray(value)) return value.map((item) => recall(item as RememberedValue));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]?.[0] === 'secret' && typeof entries[0][1] === 'string')
    return new Secret('remembered');
  return Object.fromEntries(entries.map(([key, item]) => [key, recall(item)]));
}
