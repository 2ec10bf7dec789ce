import { inNaturalOrder } from '../../model/natural-order.ts';
import { meansHost } from '../../model/wildcards.ts';
import type { RequestClass } from '../routing/routing-model.ts';

type ClassUrl = Pick<RequestClass, 'place' | 'host' | 'path' | 'isElsewhere'>;

/** A request class as a URL; `…` at its end stands for all paths with that prefix. */
export function classUrl({ place, host, path, isElsewhere }: ClassUrl): string {
  const colon = place.lastIndexOf(':');
  const [own, port] = [place.slice(0, colon), place.slice(colon + 1)];
  const at = port === '443' ? '' : `:${port}`;
  const asked = path.replace('\0', '…');
  return meansHost(own, host) && isElsewhere !== true
    ? `https://${host}${at}${asked}`
    : `https://${host}${asked} at ${place}`;
}

/** URLs, each once; a prefix `/a…` covers `/a` as well. */
export function distinctUrls(urls: readonly string[]): string[] {
  if (urls.length < 2) return [...urls];
  const all = new Set(urls);
  return [...all].filter((url) => !all.has(`${url}…`)).sort(inNaturalOrder);
}
