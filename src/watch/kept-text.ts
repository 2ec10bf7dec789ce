import { safeText } from '../diagnostics/safe-text.ts';

/** How many characters a kept text may have. */
export const mostKept = { reason: 200, name: 80 } as const;

/** A text from outside, safe to show, in at most so many characters: escaping makes a text longer. */
export function keptText(text: string, most: number): string {
  const safe = safeText(text, most);
  return safe.length > most ? `${safe.slice(0, most - 1)}…` : safe;
}
