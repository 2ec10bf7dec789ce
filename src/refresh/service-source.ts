import { ApiError, isNotFound } from '../api/api-errors.ts';
import type { Client } from '../api/client.ts';
import { listBudget, type ListBudget } from '../api/pages.ts';
import { embeddedIn, fromWire, requireSameId } from '../derive/wire/from-wire.ts';
import { collectionPath, itemPath, pathText } from '../derive/wire/operations.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Kind, KindSet, View } from '../kinds/kind.ts';
import { servedEndpoint, type ServedEndpoint } from '../kinds/served-endpoint.ts';
import { endpoint } from '../kinds/views.ts';
import type { AccountSource, ResourceFamily } from './account-source.ts';

/** Reads the account from the service, for one refresh: all its lists share one budget. */
export function serviceSource(client: Client, kinds: KindSet): AccountSource {
  const budget = listBudget();
  const familyIn = (kind: Kind, answer: unknown): ResourceFamily => [
    fromWire(kind, answer),
    ...embeddedIn(kinds, kind, answer),
  ];
  return {
    async *list(kind) {
      for await (const page of pagesOf(client, kind, budget)) for (const item of page) yield familyIn(kind, item);
    },
    get: async (kind, id) => {
      try {
        const answer = await client.get(pathText(itemPath(kind, { id })));
        requireSameId(kind, answer, id);
        return familyIn(kind, answer);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return undefined;
      }
    },
    endpoints: () => readEndpoints(client, budget),
  };
}

/** Reads the endpoints that are served now. */
export async function readEndpoints(client: Client, budget?: ListBudget): Promise<ServedEndpoint[]> {
  const found: ServedEndpoint[] = [];
  for await (const page of pagesOf(client, endpoint, budget)) for (const item of page) found.push(servedEndpoint(item));
  return found;
}

/** The pages of a list. If the service does not support the list, that is an error, and never an empty list. */
async function* pagesOf(client: Client, view: View, budget?: ListBudget): AsyncIterable<readonly unknown[]> {
  const path = pathText(collectionPath(view));
  try {
    yield* client.pages(path, view.listKey, budget);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 405)) throw error;
    throw new SluiceError('OPERATION_NOT_SUPPORTED', `this service does not support GET ${path}`, {
      cause: error,
      hint: hintOf(error.status, view.operations.list === 'completed'),
    });
  }
}

function hintOf(status: number, isCompleted: boolean): string {
  if (!isCompleted) return 'check api.base_url';
  const profile = 'set api.profile: documented';
  // A wrong path in the URL has no lists either.
  return status === 404 ? `check the path in api.base_url; if the path is correct, ${profile}` : profile;
}
