/** The progress line of a terminal, which stays below all other output. */
export interface LiveLine {
  /** Replaces the line; an empty text removes it. Without a terminal it does nothing. */
  readonly show: (text: string) => void;
  /** Prints whole lines above the progress line. */
  readonly print: (lines: string) => void;
}

const clear = '\r\u{1b}[K';

/** Creates the progress line of a stream. */
export function liveLine(write: (text: string) => void, isTerminal: boolean): LiveLine {
  let shown = '';
  return {
    show: (text) => {
      if (!isTerminal || text === shown) return;
      write(`${clear}${text}`);
      shown = text;
    },
    print: (lines) => {
      write(shown === '' ? lines : `${clear}${lines}${shown}`);
    },
  };
}
