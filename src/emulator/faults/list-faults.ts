import type { Answer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { Mode } from './modes.ts';

type Body = Record<string, unknown>;
type Items = readonly { readonly id: string }[];

/** The answer of a list with something changed; anything else stays as it is. */
function listed(change: (body: Body, items: Items, exchange: Exchange) => Body): Mode {
  return () => async (exchange, next) => {
    const answer = await next();
    const body = listIn(exchange, answer);
    if (body === undefined) return answer;
    const key = exchange.found?.target.family.listKey ?? '';
    return { ...answer, body: JSON.stringify(change(body, body[key] as Items, exchange)) };
  };
}

function listIn({ method, found }: Exchange, { status, body }: Answer): Body | undefined {
  return method === 'GET' && status === 200 && found?.target.place === 'collection'
    ? (JSON.parse(body) as Body)
    : undefined;
}

function items(exchange: Exchange, list: Items): Body {
  return { [exchange.found?.target.family.listKey ?? '']: list };
}

/** A list that does not know yet what was created by the last writes (of any kind) before it: `list-lag=3`. */
const lag: Mode = (detail) => {
  const writes = Number(detail ?? 1);
  const recent: (string | undefined)[] = [];
  return async (exchange, next) => {
    const answer = await next();
    if (exchange.method !== 'GET' && answer.status < 300) {
      recent.push(answer.status === 201 ? (JSON.parse(answer.body) as { id: string }).id : undefined);
      if (recent.length > writes) recent.shift();
    }
    const body = listIn(exchange, answer);
    if (body === undefined) return answer;
    const known = (body[exchange.found?.target.family.listKey ?? ''] as Items).filter(({ id }) => !recent.includes(id));
    return { ...answer, body: JSON.stringify({ ...body, ...items(exchange, known) }) };
  };
};

/** How lists go wrong. `list-lag` must be addressed to every request (`*:*:0`), for it has to see the writes. */
export const listFaults: Readonly<Record<string, Mode>> = {
  'next-itself': listed((body, _, { origin, path, query }) => ({
    ...body,
    next_page_uri: `${origin}${path}${query === '' ? '' : `?${query}`}`,
  })),
  'next-endless': listed((body, _, { origin, path, n }) => ({
    ...body,
    next_page_uri: `${origin}${path}?limit=${1 + (n % 100)}`,
  })),
  'next-foreign': listed((body, _, { path }) => ({ ...body, next_page_uri: `http://elsewhere.invalid${path}` })),
  'item-twice': listed((body, list, exchange) => ({ ...body, ...items(exchange, [...list, ...list.slice(0, 1)]) })),
  'item-skipped': listed((body, list, exchange) => ({ ...body, ...items(exchange, list.slice(1)) })),
  'list-lag': lag,
};
