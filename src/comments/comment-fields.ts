import { isJsonObject } from '../model/json-object.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { PlatformClient } from './platform-client.ts';

/** How many pages of a list are read; a longer one is an error, since what is not read would be missed. */
export const mostPages = 100;

/** The field of an object in the response of a platform; undefined where there is no object. */
export function fieldIn(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

/** A field that must be text or a number, as text. */
export function requiredText(value: unknown, ...path: readonly string[]): string {
  const found = knownText(value, ...path);
  if (found !== undefined) return found;
  throw unreadableResponse(`\`${path.join('.')}\` is missing`);
}

/** A field that may be text or a number, as text; undefined where it is neither. */
export function knownText(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldIn(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/** A field that may be text; empty where it is not. */
export function optionalText(value: unknown, name: string): string {
  const found = fieldIn(value, name);
  return typeof found === 'string' ? found : '';
}

/** Reads a list, all pages of it. */
export type ReadPages = (path: string) => Promise<readonly unknown[]>;

/** Reads lists below a path; `size` asks for the largest page. */
export function pagesBelow(client: PlatformClient, base: string, size: string): ReadPages {
  return (path) =>
    itemsOfPages((page) => {
      const query = `${path.includes('?') ? '&' : '?'}${size}&page=${page}`;
      return client.send({ method: 'GET', path: `${base}/${path}${query}` });
    });
}

/** The items of every page of a list, each once; a page that brings nothing new is the last. */
export async function itemsOfPages(page: (number: number) => Promise<unknown>): Promise<readonly unknown[]> {
  const found = new Map<string, unknown>();
  for (let number = 1; number <= mostPages; number++) {
    const before = found.size;
    for (const item of platformList(await page(number))) {
      const id = knownText(item, 'id');
      found.set(id === undefined ? JSON.stringify(item) : `id ${id}`, item);
    }
    if (found.size === before) return [...found.values()];
  }
  throw tooManyPages();
}

/** The items of a list that a platform returned. */
export function platformList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw unreadableResponse('the response is not a list');
}

/** The id of the user that the token belongs to. */
export async function tokenUser(client: PlatformClient): Promise<string> {
  return requiredText(await client.send({ method: 'GET', path: `${client.prefix}/user` }), 'id');
}

/** A list with more pages than are read. */
export function tooManyPages(): SluiceError {
  return unreadableResponse(`a list of the platform has more than ${mostPages} pages`);
}

/** A response of a platform that is not what its documentation describes. */
export function unreadableResponse(why: string): SluiceError {
  return new SluiceError('UNREADABLE_RESPONSE', `the response of the platform cannot be used: ${why}`);
}
