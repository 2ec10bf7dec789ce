import type { RequestPattern } from '../routing/request-patterns.ts';
import type { RequestClass } from '../routing/routing-model.ts';
import { meansHost } from '../../model/wildcards.ts';

/** The setting `access.public`: URLs that are meant to be public. The host may begin, and the path may end with `*`. */
export interface PublicList {
  readonly patterns: readonly RequestPattern[];
  /** Whether every request of a class is meant to be public. */
  readonly lists: (requestClass: RequestClass) => boolean;
}

/** Reads `access.public`; undefined where it is not set. */
export function publicList(urls: readonly string[] | undefined): PublicList | undefined {
  if (urls === undefined) return undefined;
  const listed = urls.map(listedUrl);
  return {
    patterns: listed,
    lists: (asked) =>
      listed.some(({ host, port, path, exact }) => {
        if (host !== undefined && !meansHost(host, asked.host)) return false;
        if (port !== undefined && !asked.place.endsWith(`:${port}`)) return false;
        return exact ? asked.path === path : asked.path.startsWith(path);
      }),
  };
}

function listedUrl(url: string): RequestPattern & { readonly port: string | undefined } {
  const slash = url.indexOf('/');
  const [name, path] = slash === -1 ? [url, '/'] : [url.slice(0, slash), url.slice(slash)];
  const [host = '', port] = name.toLowerCase().split(':');
  const exact = slash !== -1 && !path.endsWith('*');
  return {
    key: url,
    place: undefined,
    host: host === '*' ? undefined : host,
    port,
    path: path.replace(/\*$/, ''),
    exact,
  };
}
