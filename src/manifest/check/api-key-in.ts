import { holdsApiKey } from './own-credentials.ts';
import { isWrittenObject, type Written } from '../read/written.ts';

/** Where something written holds the key of the API: the names that lead there, without any that is the key itself. */
export function apiKeyIn(value: Written, keys: readonly string[], path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return holdsApiKey(value, keys) ? path.join('.') : undefined;
  if (Array.isArray(value)) return firstOf((value as Written[]).map((item, index) => [String(index), item] as const));
  if (!isWrittenObject(value)) return undefined;
  if (Object.keys(value).some((name) => holdsApiKey(name, keys))) return path.join('.');
  return firstOf(Object.entries(value));

  function firstOf(entries: readonly (readonly [string, Written])[]): string | undefined {
    for (const [name, item] of entries) {
      const found = apiKeyIn(item, keys, [...path, name]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
