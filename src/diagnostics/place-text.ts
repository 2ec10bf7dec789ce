import type { SourceLocation } from './diagnostic.ts';

/** A spot in a file as a person reads it: `file:line`. */
export function placeText({ file, line }: Pick<SourceLocation, 'file' | 'line'>): string {
  return `${file}:${String(line)}`;
}
