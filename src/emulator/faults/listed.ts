import type { Answer } from '../answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { parsedObject } from '../../model/json-object.ts';

/** The key of the items in a body that answers a list; undefined for any other answer. */
export function listKeyOf({ method, found }: Exchange, { status }: Answer): string | undefined {
  return method === 'GET' && status === 200 && found?.target.place === 'collection'
    ? found.target.family.listKey
    : undefined;
}

/** The id of what was just created; undefined where nothing was. */
export function createdId({ method }: Exchange, { status, body }: Answer): string | undefined {
  const id = method === 'POST' && status === 201 ? parsedObject(body)?.['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
