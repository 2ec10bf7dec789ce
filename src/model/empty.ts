/** A list of nothing. Most resources have several: a stack holds it once. */
export const emptyList: readonly never[] = Object.freeze([]);

/** A mapping of nothing, for the same reason. */
export const emptyMapping: Readonly<Record<string, never>> = Object.freeze({});
