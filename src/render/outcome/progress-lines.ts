import { safeText } from '../../diagnostics/safe-text.ts';
import type { ApplyEvent } from '../../model/outcome.ts';
import { actionWords } from '../plan/action-words.ts';
import { durationShort } from '../text/ages.ts';
import { outcomeLine } from './outcome-text.ts';
import type { Palette } from '../text/palette.ts';

/** Where progress goes and how. */
export interface ProgressOptions {
  /** Takes whole lines. */
  readonly print: (lines: string) => void;
  /** Takes what is under way, in the place of what it took before. */
  readonly show: (text: string) => void;
  readonly palette: Palette;
  /** How many columns the line of what is under way may take. */
  readonly columns: number;
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  /** Milliseconds between two requests, where the service lets no more through. */
  readonly gapMs: () => number | undefined;
}

/** Prints the progress of an apply: a line for each finished change, and below them what is in progress. */
export function progressLines({ print, show, palette, columns, now, gapMs }: ProgressOptions): {
  readonly onEvent: (event: ApplyEvent) => void;
  /** Brings the time that has passed up to date. */
  readonly tick: () => void;
} {
  const startedAt = now();
  const underWay = new Map<string, string>();
  let counted = '';

  function tick(): void {
    const [first] = underWay.values();
    if (first === undefined) {
      show('');
      return;
    }
    const more = underWay.size > 1 ? ` and ${underWay.size - 1} more` : '';
    const gap = gapMs() ?? 0;
    const pace = gap > 0 ? ` (at most ${Math.ceil(60_000 / gap)} requests a minute)` : '';
    show(palette.quiet(`${counted}${durationShort(now() - startedAt)}: ${first}${more}${pace}`.slice(0, columns - 1)));
  }

  return {
    tick,
    onEvent: (event) => {
      if (event.type === 'waiting') {
        print(`${palette.quiet(`${safeText(event.address)}: ${safeText(event.why)}`)}\n`);
      } else if (event.type === 'started') {
        underWay.set(event.address, `${actionWords[event.action].doing} ${safeText(event.address)}`);
        tick();
      } else {
        underWay.delete(event.outcome.address);
        counted = `${event.done} of ${event.total} done, `;
        tick();
        print(`${outcomeLine(event.outcome, palette)}\n`);
      }
    },
  };
}
