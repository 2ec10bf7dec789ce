/** The last line of a terminal, which says what is under way and stays below everything that is said meanwhile. */
export interface LiveLine {
  /** Shows a text in the place of the one before; an empty one takes the line away. Elsewhere than on a terminal nothing. */
  readonly show: (text: string) => void;
  /** Says whole lines, above the live one. */
  readonly say: (lines: string) => void;
}

const clear = '\r\u{1b}[K';

/** Makes the live line of a stream. */
export function liveLine(write: (text: string) => void, isTerminal: boolean): LiveLine {
  let shown = '';
  return {
    show: (text) => {
      if (!isTerminal || text === shown) return;
      write(`${clear}${text}`);
      shown = text;
    },
    say: (lines) => {
      write(shown === '' ? lines : `${clear}${lines}${shown}`);
    },
  };
}
