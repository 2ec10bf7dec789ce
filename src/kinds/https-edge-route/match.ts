import { looksLike } from '../checks.ts';
import type { Check, Selector } from '../kind.ts';
import { unusual } from '../lints.ts';
import type { SpecObject } from '../value.ts';
import { withoutScheme } from '../formats/web-names.ts';

const label = '[A-Za-z0-9*_](?:[A-Za-z0-9*_-]*[A-Za-z0-9*_])?';

/** A path, a host, or a host plus path. */
export const matchForm: Check = looksLike(
  new RegExp(`^(?:/\\S*|${label}(?:\\.${label})*(?::[0-9]{1,5})?(?:/\\S*)?)$`),
  '`/path`, `host` or `host/path`',
  {
    code: 'INVALID_MATCH',
    hint: (text) =>
      withoutScheme(
        text,
        (rest) => rest,
        (match) => matchForm.test(match),
      ),
  },
);

const hostAlone = /^(?!localhost\b)[^./*:]+(?=\/|$)/i;
const wildcard = /^([^/]*\/[^*{}]*)[*{}].*$/;
// A port, or a `*` that does not stand for the first labels.
const unclear = /^[^/]*:|^[^/]+\*|^\*(?!\.)/;
const query = /^([^/]*\/[^?#]*)[?#].*$/;

/** A name without a dot is a host that hardly anybody asks for. */
export const pathWithoutSlash = unusual(
  hostAlone,
  'the value selects a host, not a path',
  (match) => `to select a path, write \`match: /${match}\``,
);

/** In a path, wildcards are plain characters. */
export const wildcardInPath = unusual(
  wildcard,
  'the path of the value does not support wildcards: `*`, `{` and `}` are matched literally',
  (match) => `write \`match: ${match.replace(wildcard, '$1')}\` with \`match_type: path_prefix\``,
);

/** Which requests such a host selects is not described. */
export const unclearHost = unusual(
  unclear,
  'the host of the value has a port, or a wildcard inside a name; the API does not document which requests such a host selects',
  () =>
    'write an exact host, or `*.` before a domain; otherwise, plans assume the meaning that gives the most clients access',
);

/** Requests are selected by their path alone. */
export const queryInMatch = unusual(
  query,
  'the value contains a query, which is not part of the path of a request',
  (match) => `write \`match: ${match.replace(query, '$1')}\``,
);

/** The requests a route takes: a match without a path takes every path of its host. */
export function selectorOf({ match, match_type }: SpecObject): Selector {
  const text = typeof match === 'string' ? match : '/';
  const slash = text.indexOf('/');
  const host = slash === -1 ? text : text.slice(0, slash);
  return {
    host: host === '' ? undefined : host.toLowerCase(),
    ...(unclear.test(host) ? { isHostUnclear: true as const } : {}),
    path: slash === -1 ? '/' : text.slice(slash),
    exact: match_type === 'exact_path' && slash !== -1,
  };
}
