import { pathSegment } from '../derive/path-segment.ts';
import type { Family } from './family.ts';

/** The collection's path with the parent's id in its place. */
export function collectionUri(family: Family, parent: string | undefined): string {
  return family.path.replace(/\{[^}]+\}/, parent ?? '');
}

/** Where something referred to is found. Families that this API does not manage get a path of the usual shape. */
export function referenceUri(families: ReadonlyMap<string, Family>, to: string, id: string, origin: string): string {
  const family = families.get(to);
  const path = family === undefined ? `/${to.endsWith('y') ? `${to.slice(0, -1)}ies` : `${to}s`}` : family.path;
  return `${origin}${path}/${pathSegment(id)}`;
}
