/** A place, and the wildcards that take its requests where nothing listens at it, the longest first: `a.b.c:443`, `*.b.c:443`, `*.c:443`. */
export function answeringFor(place: string): string[] {
  const colon = place.lastIndexOf(':');
  const end = colon === -1 ? place.length : colon;
  const all = [place];
  for (let dot = place.indexOf('.'); dot !== -1 && dot < end; dot = place.indexOf('.', dot + 1))
    if (dot !== 1 || !isWildcard(place)) all.push(`*${place.slice(dot)}`);
  return all;
}

/** Whether a host that is asked for is meant by one that may begin with a wildcard. */
export function meansHost(meant: string, asked: string): boolean {
  return meant === asked || (isWildcard(meant) && asked.endsWith(meant.slice(1)));
}

/** How specific a host is: one that is named exactly, then wildcards, the longer first, then none. */
export function rankOfHost(host: string | undefined): number {
  if (host === undefined) return 0;
  return host.includes('*') ? host.length : Infinity;
}

function isWildcard(host: string): boolean {
  return host.startsWith('*.');
}
