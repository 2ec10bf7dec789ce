import type { Path } from '../kinds/value.ts';

/** A path as a JSON pointer (RFC 6901). */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The names in a JSON pointer: the path, where no list is passed. */
export function pointerNames(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether a pointer is one of those given, or lies below one. */
export function isAtOrBelow(pointer: string, pointers: Iterable<string>): boolean {
  for (const above of pointers) if (pointer === above || pointer.startsWith(`${above}/`)) return true;
  return false;
}
