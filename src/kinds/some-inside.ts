/** Whether something is true of a value or of any value inside it. Makes no lists, and asks about no plain leaf: specs are asked again and again. */
export function someInside(value: unknown, isTrue: (value: object) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isTrue(value)) return true;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[])
      if (typeof item === 'object' && someInside(item, isTrue)) return true;
    return false;
  }
  for (const name in value) {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof item === 'object' && someInside(item, isTrue)) return true;
  }
  return false;
}
