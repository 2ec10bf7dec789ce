/** A value as a file holds it, before references and values from elsewhere are looked up. */
export type Written = null | boolean | number | string | readonly Written[] | WrittenObject;

/** A mapping as a file holds it; its keys are plain text and never `__proto__` or its like. */
export interface WrittenObject {
  readonly [key: string]: Written;
}

/** True for a mapping, as opposed to a scalar, a list, or nothing. */
export function isWrittenObject(value: unknown): value is WrittenObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that no mapping may have: JavaScript would take them for more than names. */
export const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
