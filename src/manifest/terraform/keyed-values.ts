import { isJsonObject, type JsonObject } from '../../model/json-object.ts';

/** The values of a JSON object by their keys; undefined for any other value. */
export function keyedValues(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
