import { SluiceError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Palette } from '../text/palette.ts';

/** An error that ended a command: what happened, and what to do. What sluice did not foresee is called a defect, with where it happened. */
export function errorText(error: unknown, palette: Palette, detailed: boolean): string {
  const head = palette.removed('error:');
  if (error instanceof SluiceError) {
    const details = error.details.map((detail) => `\n  - ${safeText(detail, 2000)}`).join('');
    const hint = error.hint === undefined ? '' : `\n  ${safeText(error.hint)}`;
    return `${head} ${safeText(error.message, 2000)}${details}${hint}\n${detailed ? stackOf(error) : ''}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `${head} internal error in sluice: ${safeText(message)}\n${stackOf(error)}`;
}

/** Where it happened. The first lines of a stack repeat the message, which may hold anything. */
function stackOf(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return frames.map((line) => `  ${safeText(line.trim())}\n`).join('');
}
