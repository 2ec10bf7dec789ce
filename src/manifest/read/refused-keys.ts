/** Keys that no mapping may have: JavaScript would take them for more than names. */
export const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
