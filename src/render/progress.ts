import { safeText } from '../diagnostics/safe-text.ts';
import type { ApplyEvent } from '../model/outcome.ts';
import { actionWords } from './action-words.ts';
import { outcomeLine } from './outcome-text.ts';
import type { Palette } from './palette.ts';

/** Where progress goes and how. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly palette: Palette;
  /** The columns of a terminal, on which the last line shows what is under way; undefined elsewhere. */
  readonly columns?: number;
}

/** Tells an apply as it goes: a line for each change that has ended, and on a terminal what is under way below them. */
export function progress(options: ProgressOptions): {
  readonly onEvent: (event: ApplyEvent) => void;
  /** Takes the live line away. */
  readonly end: () => void;
} {
  const { write, palette, columns } = options;
  const underWay = new Map<string, string>();
  let counted = '';

  function live(): string {
    if (columns === undefined || underWay.size === 0) return '';
    const [first = ''] = underWay.values();
    const more = underWay.size > 1 ? ` and ${underWay.size - 1} more` : '';
    return palette.quiet(`${counted}${first}${more}`.slice(0, columns - 1));
  }
  const clear = columns === undefined ? '' : '\r\u{1b}[K';

  return {
    onEvent: (event) => {
      if (event.type === 'waiting') {
        write(`${clear}${palette.quiet(`${safeText(event.address)}: ${safeText(event.why)}`)}\n${live()}`);
        return;
      }
      if (event.type === 'started') {
        underWay.set(event.address, `${actionWords[event.action].doing} ${safeText(event.address)}`);
        if (columns !== undefined) write(`${clear}${live()}`);
        return;
      }
      underWay.delete(event.outcome.address);
      counted = `${event.done} of ${event.total}: `;
      write(`${clear}${outcomeLine(event.outcome, palette)}\n${live()}`);
    },
    end: () => {
      if (columns !== undefined) write(clear);
    },
  };
}
