// A colour is not a character: it takes no room on the line.
const colour = /\u{1b}\[\d+m/gu;

// No text from outside holds them: they are control characters.
const glue = '\u{1f}';
const gap = '\u{1e}';

/** A text whose spaces are no place to break a line. */
export function glued(text: string): string {
  return text.replaceAll(' ', glue);
}

/** Texts with nothing between them, where a line may be broken all the same; inside of them it may not. */
export function breakable(parts: readonly string[]): string {
  return parts.map(glued).join(gap);
}

/** Breaks a line at spaces so that it fits the width, later parts indented by `hang`. A word longer than a line stays whole. */
export function wrap(line: string, width: number | undefined, hang: number): string {
  if (width === undefined || length(line) <= width) return unmarked(line);
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  let started = false;
  for (const [, between = '', word = ''] of line.slice(indent.length).matchAll(/(^|[ \u{1e}])([^ \u{1e}]*)/gu)) {
    const joint = between === ' ' ? ' ' : '';
    if (started && length(current) + joint.length + length(word) > width) {
      lines.push(current);
      current = ' '.repeat(hang) + word;
    } else {
      current += joint + word;
    }
    started = true;
  }
  return unmarked([...lines, current].join('\n'));
}

function unmarked(text: string): string {
  return text.replaceAll(glue, ' ').replaceAll(gap, '');
}

function length(text: string): number {
  return text.replace(colour, '').replaceAll(gap, '').length;
}
