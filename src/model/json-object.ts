/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value read from JSON is an object, and neither `null` nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
