import type { Client } from '../api/client.ts';
import { servedEndpoint } from '../kinds/served-endpoint.ts';
import { endpoint } from '../kinds/views.ts';

/** The public URLs now active, by the id of what serves them. Asked for only when a plan would interrupt some. */
export async function activeUrls(client: Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const urls = new Map<string, string[]>();
  for await (const item of client.list(endpoint.path, endpoint.listKey)) {
    const served = servedEndpoint(item);
    if (served !== undefined) urls.set(served.server, [...(urls.get(served.server) ?? []), served.url]);
  }
  return urls;
}
