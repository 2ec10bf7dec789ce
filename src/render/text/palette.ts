/** Colours by meaning. The caller passes them, so that texts are the same everywhere except for colours. */
export interface Palette {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly added: (text: string) => string;
  readonly removed: (text: string) => string;
  readonly changed: (text: string) => string;
  readonly danger: (text: string) => string;
}

/** No colour at all: files, pipes, NO_COLOR. */
export const plain: Palette = {
  strong: same,
  quiet: same,
  added: same,
  removed: same,
  changed: same,
  danger: same,
};

/** The colours of a terminal. */
export const ansi: Palette = {
  strong: paint(1, 22),
  quiet: paint(2, 22),
  added: paint(32, 39),
  removed: paint(31, 39),
  changed: paint(33, 39),
  danger: paint(35, 39),
};

function same(text: string): string {
  return text;
}

function paint(on: number, off: number): (text: string) => string {
  return (text) => `\u{1b}[${on}m${text}\u{1b}[${off}m`;
}
