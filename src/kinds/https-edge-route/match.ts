import type { Check, Selector } from '../kind.ts';
import type { SpecObject } from '../value.ts';

/** A path, a host, or a host plus path. */
export const matchForm: Check = {
  code: 'BAD_MATCH',
  since: 'completed',
  test: (value) =>
    /^(?:[a-z0-9*_-]+(?:\.[a-z0-9*_-]+)*(?::\d{1,5})?)?(?:\/[^\s]*)?$/i.test(String(value)) && value !== ''
      ? undefined
      : 'must be `/path`, `host` or `host/path`',
};

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
