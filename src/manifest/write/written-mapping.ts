import { isExactNumber } from '../../model/exact-number.ts';
import { jsonObject } from '../../derive/marker.ts';
import { limits } from '../read/limits.ts';
import { refusedKeys } from '../read/refused-keys.ts';
import { originIn } from '../read/value-source.ts';
import type { WrittenObject } from '../read/written.ts';

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
