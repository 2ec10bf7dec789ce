import type { Client } from '../api/client.ts';
import type { ListBudget } from '../api/list-budget.ts';
import { ApiError } from '../api/api-errors.ts';
import { collectionPath, pathText } from '../derive/wire/operations.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { View } from '../kinds/kind.ts';

/** All items of a paginated list. If the service does not support the list, that is an error, and never an empty list. */
export async function* pagesOf(
  client: Client,
  view: View,
  isCompleted: boolean,
  budget?: ListBudget,
): AsyncIterable<unknown> {
  const path = pathText(collectionPath(view));
  try {
    yield* client.list(path, view.listKey, budget);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 405)) throw error;
    throw new SluiceError('OPERATION_NOT_SUPPORTED', `this service does not support GET ${path}`, {
      cause: error,
      hint: hintOf(error.status, isCompleted),
    });
  }
}

function hintOf(status: number, isCompleted: boolean): string {
  if (!isCompleted) return 'check api.base_url';
  const profile = 'set api.profile: documented';
  // A wrong path in the URL has no lists either.
  return status === 404 ? `check the path in api.base_url; if the path is correct, ${profile}` : profile;
}
