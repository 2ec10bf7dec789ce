/** What an entry of the endpoints view tells about the resource that serves it. */
export interface ServedEndpoint {
  /** The id of an edge, of whatever family. */
  readonly server: string;
  readonly url: string;
  /** The metadata of that edge, so that a marker in it is found. */
  readonly metadata: string;
}

/** Reads one entry of the endpoints view; undefined for one that no edge serves. */
export function servedEndpoint(answer: unknown): ServedEndpoint | undefined {
  const { edge, public_url, metadata } = objectOf(answer);
  const { id } = objectOf(edge);
  return typeof id === 'string' && id !== ''
    ? { server: id, url: textOf(public_url), metadata: textOf(metadata) }
    : undefined;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
