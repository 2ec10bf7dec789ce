import type { Client } from '../api/client.ts';
import type { ListBudget } from '../api/list-budget.ts';
import { servedEndpoint, type ServedEndpoint } from '../kinds/served-endpoint.ts';
import { endpoint } from '../kinds/views.ts';
import { pagesOf } from './pages-of.ts';

/** Reads the endpoints that are served now. */
export async function readEndpoints(client: Client, budget?: ListBudget): Promise<ServedEndpoint[]> {
  const found: ServedEndpoint[] = [];
  for await (const item of pagesOf(client, endpoint, false, budget)) found.push(servedEndpoint(item));
  return found;
}
