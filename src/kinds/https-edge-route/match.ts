import { looksLike } from '../checks.ts';
import type { Check, Selector } from '../kind.ts';
import type { SpecObject } from '../value.ts';

const label = '[A-Za-z0-9*_](?:[A-Za-z0-9*_-]*[A-Za-z0-9*_])?';

/** A path, a host, or a host plus path. */
export const matchForm: Check = looksLike(
  new RegExp(`^(?:/\\S*|${label}(?:\\.${label})*(?::[0-9]{1,5})?(?:/\\S*)?)$`),
  '`/path`, `host` or `host/path`',
  { code: 'INVALID_MATCH' },
);

/** The requests a route takes: a match without a path takes every path of its host. */
export function selectorOf({ match, match_type }: SpecObject): Selector {
  const text = typeof match === 'string' ? match : '/';
  const slash = text.indexOf('/');
  const host = slash === -1 ? text : text.slice(0, slash);
  return {
    host: host === '' ? undefined : host.toLowerCase(),
    path: slash === -1 ? '/' : text.slice(slash),
    exact: match_type === 'exact_path' && slash !== -1,
  };
}
