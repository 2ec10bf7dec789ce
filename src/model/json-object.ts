/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value that a text is as JSON; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object that a text is as JSON; undefined where it is none. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Whether a value read from JSON is an object, and neither `null` nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same text as JSON, in which the order of names counts. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  if (names.length !== otherNames.length || Array.isArray(one) !== Array.isArray(other)) return false;
  return names.every(
    (name, at) => name === otherNames[at] && isSameJson((one as JsonObject)[name], (other as JsonObject)[name]),
  );
}

/** Whether JSON carries a number as it was written: infinity, NaN and integers beyond 53 bits are not. */
export function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
