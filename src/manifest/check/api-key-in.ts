import { holdsApiKey } from './own-credentials.ts';
import { isWrittenObject, type Written } from '../read/written.ts';

/** Where something written holds the key of the API: the names that lead there, without any that is the key itself. */
export function apiKeyIn(value: Written, keys: readonly string[]): string | undefined {
  return keys.length === 0 ? undefined : namesTo(value, keys)?.join('.');
}

function namesTo(value: Written, keys: readonly string[]): readonly string[] | undefined {
  if (typeof value === 'string') return holdsApiKey(value, keys) ? [] : undefined;
  if (!Array.isArray(value) && !isWrittenObject(value)) return undefined;
  const entries = Object.entries<Written>(value);
  if (!Array.isArray(value) && entries.some(([name]) => holdsApiKey(name, keys))) return [];
  for (const [name, item] of entries) {
    const found = namesTo(item, keys);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}
