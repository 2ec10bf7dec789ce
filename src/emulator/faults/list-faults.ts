import type { Answer } from '../answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Interceptor } from '../http/interceptor.ts';
import { numberOf } from './detail.ts';
import { parsedObject } from '../../model/json-object.ts';
import type { Mode } from './fault.ts';
import { statusAnswer } from './status-faults.ts';

type Body = Record<string, unknown>;
type Items = readonly { readonly id: string }[];

/** The key of the items in a body that answers a list; undefined for any other answer. */
export function listKeyOf({ method, found }: Exchange, { status }: Answer): string | undefined {
  return method === 'GET' && status === 200 && found?.target.place === 'collection'
    ? found.target.family.listKey
    : undefined;
}

function createdId({ method }: Exchange, { status, body }: Answer): string | undefined {
  const id = method === 'POST' && status === 201 ? parsedObject(body)?.['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The answer of a list with something changed; anything else stays as it is. */
function listed(change: (body: Body, items: Items, exchange: Exchange) => Body): Interceptor {
  return async (exchange, next) => {
    const answer = await next();
    const key = listKeyOf(exchange, answer);
    const body = key === undefined ? undefined : parsedObject(answer.body);
    if (key === undefined || body === undefined) return answer;
    return { ...answer, body: JSON.stringify(change(body, body[key] as Items, exchange)) };
  };
}

function items(exchange: Exchange, list: Items): Body {
  return { [exchange.found?.target.family.listKey ?? '']: list };
}

/** A list that does not know yet what was created by the last writes (of any kind) before it: `list-lag=3`. */
const lag: Mode = (detail) => {
  const writes = numberOf(detail, 1);
  const recent: (string | undefined)[] = [];
  const known = (list: Items): Items => list.filter(({ id }) => !recent.includes(id));
  return {
    happen: listed((body, list, exchange) => ({ ...body, ...items(exchange, known(list)) })),
    observe: (exchange, answer) => {
      if (exchange.method === 'GET' || answer.status >= 300) return;
      recent.push(createdId(exchange, answer));
      if (recent.length > writes) recent.shift();
    },
  };
};

/** Knows nothing yet of what was just created, the first times it is read by its id: `read-after-write=2`. */
const readAfterWrite: Mode = (detail) => {
  const times = numberOf(detail, 1);
  const left = new Map<string, number>();
  return {
    happen: (exchange, next) => {
      const id = exchange.method === 'GET' ? (exchange.found?.ids.at(-1) ?? '') : '';
      const more = left.get(id) ?? 0;
      if (more === 0) return next();
      left.set(id, more - 1);
      return statusAnswer(404);
    },
    observe: (exchange, answer) => {
      const id = createdId(exchange, answer);
      if (id !== undefined) left.set(id, times);
    },
  };
};

/** An endless list, with a different URI for each page, of which the service knows the first. */
const endless: Mode = () => {
  let pages = 0;
  const page = listed((body, _, { origin, path }) => ({ ...body, next_page_uri: `${origin}${path}?page=${++pages}` }));
  return (exchange, next, world) => {
    const first = /^page=\d+$/.test(exchange.query) ? { ...exchange, query: '' } : exchange;
    return page(first, () => next(first), world);
  };
};

/** How lists go wrong, and reads of what is new. */
export const listFaults: Readonly<Record<string, Mode>> = {
  'next-itself': () =>
    listed((body, _, { origin, path, query }) => ({
      ...body,
      next_page_uri: `${origin}${path}${query === '' ? '' : `?${query}`}`,
    })),
  'next-endless': endless,
  'next-foreign': () => listed((body, _, { path }) => ({ ...body, next_page_uri: `http://elsewhere.invalid${path}` })),
  'item-twice': () =>
    listed((body, list, exchange) => ({ ...body, ...items(exchange, [...list, ...list.slice(0, 1)]) })),
  'item-skipped': () => listed((body, list, exchange) => ({ ...body, ...items(exchange, list.slice(1)) })),
  'list-lag': lag,
  'read-after-write': readAfterWrite,
};
