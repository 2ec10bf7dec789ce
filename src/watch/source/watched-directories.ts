import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

/** A name in a directory that has no link above it: where a change would show that another file is meant. */
export interface WatchedDirectory {
  readonly directory: string;
  readonly name: string;
}

// As many as Linux follows.
const mostLinks = 40;

/** Every place on which it depends what a path leads to: each link on the way, and the end, or where the way breaks off. */
export function watchedDirectories(path: string): readonly WatchedDirectory[] {
  const places: WatchedDirectory[] = [];
  let at = parse(path).root;
  let left = partsOf(path);
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const target = linkAt(join(at, name));
    if (target !== undefined || left.length === 0) places.push({ directory: at, name });
    if (target === 'nothing' || links === mostLinks) return places;
    if (target === undefined) at = join(at, name);
    else {
      links += 1;
      if (isAbsolute(target.to)) at = parse(target.to).root;
      left = [...partsOf(target.to), ...left];
    }
  }
  return places;
}

function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.' && part !== parse(path).root);
}

function linkAt(path: string): { readonly to: string } | 'nothing' | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? { to: readlinkSync(path) } : undefined;
  } catch {
    return 'nothing';
  }
}
