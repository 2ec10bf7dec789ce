import { isJsonObject } from '../model/json-object.ts';
import type { Sliced } from '../model/sliced.ts';

/** What `JSON.stringify(object, null, 1)` makes, in steps of one item of what it holds: one of 10,000 resources takes long. */
export function* jsonInSteps(object: object): Sliced<string> {
  return yield* itemsInSteps(object, 1, (value) =>
    isJsonObject(value) ? itemsInSteps(value, 2, (item) => textOf(item, 2)) : textOf(value, 1),
  );
}

function* itemsInSteps(
  object: object,
  depth: number,
  text: (value: unknown) => Sliced<string> | string,
): Sliced<string> {
  const items: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield;
    const given = text(value);
    items.push(`${lineBreak(depth)}${JSON.stringify(key)}: ${typeof given === 'string' ? given : yield* given}`);
  }
  return items.length === 0 ? '{}' : `{${items.join(',')}${lineBreak(depth - 1)}}`;
}

// A text in JSON holds no line break, so each is one of the form.
function textOf(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 1).replaceAll('\n', lineBreak(depth));
}

function lineBreak(depth: number): string {
  return `\n${' '.repeat(depth)}`;
}
