import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';

/** The public URLs now active at places, and what a reader must know where the service does not show one. */
export function urlsAt(
  places: readonly string[],
  served: readonly ServedEndpoint[] | undefined,
): { readonly urls: ReadonlyMap<string, string>; readonly remark: string } {
  if (served === undefined) return { urls: new Map(), remark: '' };
  const wanted = new Set(places);
  const found = served.filter(({ hostport, server }) => server !== undefined && wanted.has(hostport));
  const urls = new Map(found.filter(({ url }) => url !== '').map(({ hostport, url }) => [hostport, url]));
  if (places.every((place) => urls.has(place))) return { urls, remark: '' };
  const showsSome = served.some(({ server }) => server !== undefined);
  const note = showsSome ? ' (not reported as active)' : ' (the service does not report active URLs)';
  return { urls, remark: places.some((place) => urls.has(place)) ? '' : note };
}
