import { isJsonObject } from '../model/json-object.ts';
import type { Sliced } from '../model/sliced.ts';

// So many items become text in one step: 10,000 take long at once, and each by itself longer.
const itemsAtOnce = 20;

/** What `JSON.stringify(object, null, 1)` makes, in steps of some items of what it holds. */
export function* jsonInSteps(object: object): Sliced<string> {
  const members: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield;
    const text = isJsonObject(value) ? yield* textInSteps(value) : textOf(value);
    members.push(`\n ${JSON.stringify(key)}: ${text}`);
  }
  return members.length === 0 ? '{}' : `{${members.join(',')}\n}`;
}

function* textInSteps(object: object): Sliced<string> {
  const items = Object.entries(object).filter(([, value]) => value !== undefined);
  const texts: string[] = [];
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    yield;
    texts.push(textOf(Object.fromEntries(items.slice(at, at + itemsAtOnce))).slice(1, -'\n }'.length));
  }
  return texts.length === 0 ? '{}' : `{${texts.join(',')}\n }`;
}

// As deep as a value of an object is.
function textOf(value: unknown): string {
  return JSON.stringify([value], null, 1).slice('[\n '.length, -'\n]'.length);
}
