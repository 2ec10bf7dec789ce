// A colour is not a character: it takes no room on the line.
const colour = /\u{1b}\[\d+m/gu;

// No text from outside holds it: it is a control character.
const glue = '\u{1f}';

/** A text whose spaces are no place to break a line. */
export function glued(text: string): string {
  return text.replaceAll(' ', glue);
}

/** Breaks a line at spaces so that it fits the width, later parts indented by `hang`. A word longer than a line stays whole. */
export function wrap(line: string, width: number | undefined, hang: number): string {
  if (width === undefined || length(line) <= width) return line.replaceAll(glue, ' ');
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  let started = false;
  for (const word of line.slice(indent.length).split(' ')) {
    if (started && length(current) + 1 + length(word) > width) {
      lines.push(current);
      current = ' '.repeat(hang) + word;
    } else {
      current += started ? ` ${word}` : word;
    }
    started = true;
  }
  return [...lines, current].join('\n').replaceAll(glue, ' ');
}

function length(text: string): number {
  return text.replace(colour, '').length;
}
