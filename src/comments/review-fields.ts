import { fieldIn, unreadableResponse } from './comment-fields.ts';

/** A time of a platform in milliseconds since 1970; NaN where there is none. */
export function timeIn(value: unknown, name: string): number {
  const text = fieldIn(value, name);
  return typeof text === 'string' ? Date.parse(text) : Number.NaN;
}

/** The items of a list that a platform returned. */
export function platformList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw unreadableResponse('the response is not a list');
}
