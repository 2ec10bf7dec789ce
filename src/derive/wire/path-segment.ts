/** An id as one segment of a path. Half of a surrogate pair, which no path can hold, stands as the sign for what is unknown. */
export function pathSegment(id: string): string {
  return encodeURIComponent(Buffer.from(id).toString());
}
