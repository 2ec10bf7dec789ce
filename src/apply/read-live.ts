import { isNotFound } from '../api/api-errors.ts';
import type { Client } from '../api/client.ts';
import { embeddedIn, fromWire, requireSameId } from '../derive/wire/from-wire.ts';
import { itemPath, pathText } from '../derive/wire/operations.ts';
import type { Kind, KindSet } from '../kinds/kind.ts';
import type { Actual } from '../model/actual.ts';

/** Reads a resource, with an operation that the API describes: a 404 to any other operation would prove nothing. Undefined if the resource does not exist. */
export async function readThere(
  kind: Kind,
  id: string,
  parent: string | undefined,
  kinds: KindSet,
  get: Client['get'],
): Promise<Actual | undefined> {
  const parentKind = kind.within === undefined ? undefined : kinds.named(kind.within.kind);
  const asked = parentKind === undefined || parent === undefined ? { kind, id } : { kind: parentKind, id: parent };
  try {
    const answer = await get(pathText(itemPath(asked.kind, { id: asked.id })));
    requireSameId(asked.kind, answer, asked.id);
    return asked.kind === kind
      ? fromWire(kind, answer)
      : embeddedIn(kinds, asked.kind, answer).find((child) => child.id === id);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
