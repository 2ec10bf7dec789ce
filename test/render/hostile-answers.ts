import type { Emulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { secretPaths, type Canaries } from '../support/canaries.ts';
import type { HostileStrings } from './hostile-strings.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const secretNames = new Set(secretPaths(kinds).map((path) => path.at(-1)));

/** Has every text of every answer be a hostile one, the same each time; ids lead where they led, and markers say what they said. */
export function answerHostile(emulator: Emulator, strings: HostileStrings, canaries: Canaries): void {
  const reported = new Map<string, string>();
  emulator.intercept(async (_exchange, next) => {
    const answer = await next();
    if (answer.status >= 300 || answer.body === '') return answer;
    const ids = new Set(emulator.snapshot().resources.map(({ id }) => id));
    return { ...answer, body: JSON.stringify(spoiled(JSON.parse(answer.body) as Json, '', ids)) };
  });

  function spoiled(value: Json, at: string, ids: ReadonlySet<string>): Json {
    if (typeof value === 'string') return textAt(value, at, ids);
    if (Array.isArray(value)) return value.map((item: Json, index) => spoiled(item, `${at}/${String(index)}`, ids));
    if (typeof value !== 'object' || value === null) return value;
    const object = value as { readonly [key: string]: Json };
    const own = typeof object['id'] === 'string' && ids.has(object['id']) ? object['id'] : at;
    const entries = Object.entries(object).map(([key, item]): [string, Json] => [
      key,
      spoiled(item, `${own}/${key}`, ids),
    ]);
    // A key of its own as well: another header, or what no reader knows.
    return Object.fromEntries([...entries, [once(`${own} key`), once(`${own} value`)]]);
  }

  function textAt(text: string, at: string, ids: ReadonlySet<string>): string {
    const name = at.slice(at.lastIndexOf('/') + 1);
    // An id of another form is refused before anything is printed.
    if (ids.has(text) || name === 'next_page_uri' || /(^|[/_])ids?(\/\d+)?$/.test(at)) return text;
    if (secretNames.has(name)) return canary(at);
    if (name !== 'metadata' || !text.includes('"sluice"')) return once(at);
    const { sluice } = JSON.parse(text) as { readonly sluice: Json };
    return JSON.stringify({ [once(`${at} key`)]: once(`${at} value`), sluice });
  }

  function once(at: string): string {
    const text = reported.get(at) ?? strings.next();
    reported.set(at, text);
    return text;
  }

  function canary(at: string): string {
    const text = reported.get(at) ?? canaries.plant(`answered ${at.slice(at.lastIndexOf('/') + 1)}`);
    reported.set(at, text);
    return text;
  }
}

/** Has two of three writes refused, in hostile words: in the service's own form, or in a page of something in between. Answers how to have it stop. */
export function refuseHostile(emulator: Emulator, strings: HostileStrings): () => void {
  return emulator.intercept(({ method, n }, next) => {
    if (method === 'GET' || n % 3 === 0) return next();
    const [json, html] = [{ 'content-type': 'application/json' }, { 'content-type': 'text/html' }];
    if (n % 3 === 1) return { status: 422, headers: html, body: `<h1>${strings.next()}</h1>` };
    const body = {
      error_code: strings.next(),
      status_code: 400,
      msg: strings.next(),
      details: { operation_id: strings.next(), [strings.next()]: strings.next() },
    };
    return { status: 400, headers: json, body: JSON.stringify(body) };
  });
}
