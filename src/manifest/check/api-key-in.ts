import { holdsApiKey } from './own-credentials.ts';
import { isWrittenObject, type Written } from '../read/written.ts';

/** Where something written holds the key of the API: the names that lead there, without any that is the key itself. */
export function apiKeyIn(value: Written, keys: readonly string[]): string | undefined {
  return keys.length === 0 ? undefined : namesTo(value, keys)?.join('.');
}

function namesTo(value: Written, keys: readonly string[]): readonly string[] | undefined {
  if (typeof value === 'string') return holdsApiKey(value, keys) ? [] : undefined;
  if (!Array.isArray(value) && !isWrittenObject(value)) return undefined;
  const inside = value as Readonly<Record<string, Written>>;
  if (!Array.isArray(value)) for (const name in inside) if (holdsApiKey(name, keys)) return [];
  for (const name in inside) {
    const found = namesTo(inside[name] ?? null, keys);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}
