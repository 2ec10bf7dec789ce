import { gzipSync } from 'node:zlib';
import type { Answer } from '../answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { EmulatorWorld } from '../world.ts';
import { numberOf } from './detail.ts';
import { readForm } from '../forms/read-form.ts';
import type { Mode } from './fault.ts';
import { parsedObject } from '../../model/json-object.ts';

type Body = Record<string, unknown>;
const megabyte = 1_048_576;

/** The answer with something else for a body; what has none stays as it is. */
function withAnswer(change: (answer: Answer, exchange: Exchange, world: EmulatorWorld) => Partial<Answer>): Mode {
  return () => async (exchange, next, world) => {
    const answer = await next();
    return answer.status === 204 ? answer : { ...answer, ...change(answer, exchange, world) };
  };
}

function withText(change: (text: string) => string): Mode {
  return withAnswer(({ body }) => ({ body: change(body) }));
}

/** The answer with another object for a body. */
function withBody(change: (body: Body, exchange: Exchange, world: EmulatorWorld) => unknown): Mode {
  return withAnswer(({ body: text }, exchange, world) => {
    const body = parsedObject(text);
    return body === undefined ? {} : { body: JSON.stringify(change(body, exchange, world)) };
  });
}

function asType(type: string, text?: string): Mode {
  return withAnswer(({ headers, body }) => ({ headers: { ...headers, 'content-type': type }, body: text ?? body }));
}

/** The id of another resource of the same family, where there is one. */
function otherId({ found }: Exchange, own: unknown, { account }: EmulatorWorld): string {
  const others = account.list(found?.target.family.name ?? '').ids();
  return others.find((id) => id !== own) ?? `${found?.target.family.idPrefix ?? 'id'}_${'0'.repeat(27)}`;
}

/** The latest other resource of the family, as it is shown; a list or a module stays what it is. */
function otherAnswer(body: Body, { found, origin }: Exchange, { account, ...world }: EmulatorWorld): unknown {
  const family = found?.target.family.name ?? '';
  const other = account
    .list(family)
    .ids()
    .filter((id) => id !== body['id'])
    .flatMap((id) => account.get(family, id) ?? [])
    .sort((a, b) => b.seq - a.seq)[0];
  return body['id'] === undefined || other === undefined ? body : readForm(other, { account, ...world }, origin);
}

const huge: Mode = (detail) => {
  const padding = numberOf(detail, 100, 1, 400) * megabyte;
  return withText((text) => `${text.slice(0, -1)},"padding":"${'x'.repeat(padding)}"}`)(undefined);
};

/** A few hundred kilobytes that unpack to so many megabytes: a valid body, packed in many members. */
const gzipBomb: Mode = (detail) => {
  const megabytes = numberOf(detail, 200, 1, 4000);
  return withAnswer(({ headers, body }) => {
    const padding = gzipSync('x'.repeat(megabyte), { level: 9 });
    const bytes = Buffer.concat([
      gzipSync(`${body.slice(0, -1)},"padding":"`),
      ...Array.from({ length: megabytes }, () => padding),
      gzipSync('"}'),
    ]);
    return { headers: { ...headers, 'content-encoding': 'gzip' }, bytes };
  })(undefined);
};

/** What the body contains after the commit, under a status of success. `huge=100` is 100 megabytes; `gzip-bomb=200` unpacks to 200. */
export const bodyFaults: Readonly<Record<string, Mode>> = {
  empty: withText(() => ''),
  html: asType('text/html', '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>'),
  'malformed-json': withText((text) => `${text.slice(0, -1)},`),
  'wrong-json': withText(() => '["surprise"]'),
  'wrong-types': withBody((body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value === 'number' ? 'seven' : 7])),
  ),
  'id-missing': withBody(({ id: _, ...rest }) => rest),
  'other-id': withBody((body, exchange, world) => ({ ...body, id: otherId(exchange, body['id'], world) })),
  'other-answer': withBody(otherAnswer),
  'unknown-fields': withBody((body) => ({ ...body, from_the_future: { nested: [1, null] } })),
  'wrong-content-type': asType('application/octet-stream'),
  huge,
  deep: withText(() => '['.repeat(100_000) + ']'.repeat(100_000)),
  'gzip-bomb': gzipBomb,
};
