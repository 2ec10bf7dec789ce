import { isNotFound } from '../api/api-errors.ts';
import type { Client } from '../api/client.ts';
import { listBudget } from '../api/list-budget.ts';
import { embeddedIn, fromWire, requireSameId } from '../derive/wire/from-wire.ts';
import { itemPath, pathText } from '../derive/wire/operations.ts';
import type { Kind, KindSet } from '../kinds/kind.ts';
import type { AccountSource, ResourceFamily } from './account-source.ts';
import { pagesOf } from './pages-of.ts';
import { readEndpoints } from './read-endpoints.ts';

/** Reads the account from the service, for one refresh: all its lists share one budget. */
export function serviceSource(client: Client, kinds: KindSet): AccountSource {
  const budget = listBudget();
  const familyIn = (kind: Kind, answer: unknown): ResourceFamily => [
    fromWire(kind, answer),
    ...embeddedIn(kinds, kind, answer),
  ];
  return {
    async *list(kind) {
      for await (const item of pagesOf(client, kind, kind.operations.list === 'completed', budget))
        yield familyIn(kind, item);
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
