/** Whether something is true of a value or of any value inside it. Makes no lists: specs are asked again and again. */
export function someInside(value: unknown, isTrue: (value: object) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isTrue(value)) return true;
  if (Array.isArray(value)) return value.some((item) => someInside(item, isTrue));
  for (const name in value) if (someInside((value as Readonly<Record<string, unknown>>)[name], isTrue)) return true;
  return false;
}
