import { isNotFound } from '../api/api-errors.ts';
import { embeddedIn, fromWire, requireSameId } from '../derive/wire/from-wire.ts';
import { itemPath, pathText } from '../derive/wire/operations.ts';
import type { Actual } from '../model/actual.ts';
import { LookUpFailed } from './look-up.ts';
import type { SendOptions, SentRequest } from './send.ts';

/**
 * Reads the resource of a request, with an operation that the API describes: a 404 to any other operation would prove nothing. Undefined if
 * the resource does not exist. A read that fails leaves the outcome of the request open, if it was lost with an error.
 */
export async function readThere(
  { kind, id, parent }: Pick<SentRequest, 'kind' | 'id' | 'parent'>,
  { kinds, client }: Pick<SendOptions, 'kinds' | 'client'>,
  lost: unknown,
): Promise<Actual | undefined> {
  const parentKind = kind.within === undefined ? undefined : kinds.named(kind.within.kind);
  const asked = parentKind === undefined || parent === undefined ? { kind, id } : { kind: parentKind, id: parent };
  try {
    const answer = await client.get(pathText(itemPath(asked.kind, { id: asked.id })));
    requireSameId(asked.kind, answer, asked.id);
    return asked.kind === kind
      ? fromWire(kind, answer)
      : embeddedIn(kinds, asked.kind, answer).find((child) => child.id === id);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw lost === undefined ? error : new LookUpFailed(lost, error);
  }
}
