import { isWrittenObject } from './written.ts';

// How many characters of text count as one value.
const charactersPerValue = 32;

/** How much there is in a value: one for each value in it, and more for long texts. Stops counting beyond the limit. */
export function weightOf(value: unknown, limit: number): number {
  let weight = 0;
  const left = [value];
  while (left.length > 0 && weight <= limit) {
    const here = left.pop();
    weight += 1 + (typeof here === 'string' ? Math.floor(here.length / charactersPerValue) : 0);
    if (Array.isArray(here)) for (const item of here as readonly unknown[]) left.push(item);
    else if (isWrittenObject(here)) for (const key of Object.keys(here)) left.push(here[key]);
  }
  return weight;
}
