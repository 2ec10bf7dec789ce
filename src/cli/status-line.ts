import type { Context } from './context.ts';

/** One line on the terminal that says what is under way, and leaves nothing behind. Elsewhere it says nothing. */
export function statusLine({ io, json, logs, errPalette }: Context): {
  readonly show: (text: string) => void;
  readonly clear: () => void;
} {
  const isLive = io.terminal.err && !json && logs('info');
  let shown = 0;
  return {
    show: (text) => {
      // A line for each of thousands would cost more than the work it tells about.
      if (isLive && shown++ % 20 === 0) io.err(`\r\u{1b}[K${errPalette.quiet(text)}`);
    },
    clear: () => {
      if (isLive && shown > 0) io.err('\r\u{1b}[K');
    },
  };
}
