import { safeText } from './safe-text.ts';

/** A text from outside in quotes, on its way to a person. */
export function quoted(text: string, max?: number): string {
  return `"${safeText(text.replaceAll(/["\\]/g, String.raw`\$&`), max)}"`;
}
