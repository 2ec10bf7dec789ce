import type { Context } from './context.ts';

/** One line on the terminal that says what is under way, and leaves nothing behind. Elsewhere it says nothing. */
export function statusLine({ json, live, logs, errPalette }: Context): {
  readonly show: (text: string) => void;
  readonly clear: () => void;
} {
  const isTold = !json && logs('info');
  let shown = 0;
  return {
    show: (text) => {
      // A line for each of thousands would cost more than the work it tells about.
      if (isTold && shown++ % 20 === 0) live.show(errPalette.quiet(text));
    },
    clear: () => {
      live.show('');
    },
  };
}
