import { safeText } from '../../diagnostics/safe-text.ts';
import type { Palette } from '../text/palette.ts';
import { wrap } from '../text/wrap.ts';
import { stackSummary, stacksTotal } from './stack-summary.ts';
import { stackStatus, type StackResult, type StackStatus } from './stacks-result.ts';

const colours: Partial<Record<StackStatus, keyof Palette>> = {
  failed: 'removed',
  skipped: 'changed',
  'not-started': 'changed',
  unchanged: 'quiet',
};

/** The heading above what a command prints for one of several stacks. */
export function stackHeading(stack: string, palette: Palette): string {
  return `\n${palette.strong(`== ${safeText(stack)} ==`)}\n`;
}

/** What became of each of several stacks, and the total. */
export function stacksText(results: readonly StackResult[], palette: Palette, width?: number): string {
  const widest = Math.max(...results.map(({ stack }) => safeText(stack).length));
  const lines = results.map((result) => {
    const colour = colours[stackStatus(result)];
    const line = `${safeText(result.stack).padEnd(widest)}  ${safeText(stackSummary(result), 300)}`;
    return wrap(colour === undefined ? line : palette[colour](line), width, widest + 2);
  });
  return `\n${lines.map((line) => `${line}\n`).join('')}\n${palette.strong(stacksTotal(results))}\n`;
}
