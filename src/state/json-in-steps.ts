import { isJsonObject } from '../model/json-object.ts';
import type { Sliced } from '../model/sliced.ts';

/** What `JSON.stringify` makes of an object, in steps of one item of what it holds: one of 10,000 resources takes long. */
export function* jsonInSteps(object: object, indent = 0): Sliced<string> {
  return yield* itemsInSteps(object, indent, 1, (value) =>
    isJsonObject(value) ? itemsInSteps(value, indent, 2, (item) => textOf(item, indent, 2)) : textOf(value, indent, 1),
  );
}

function* itemsInSteps(
  object: object,
  indent: number,
  depth: number,
  text: (value: unknown) => Sliced<string> | string,
): Sliced<string> {
  const [colon, own, end] =
    indent === 0 ? [':', '', ''] : [': ', lineBreak(indent, depth), lineBreak(indent, depth - 1)];
  const items: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield;
    const given = text(value);
    items.push(`${own}${JSON.stringify(key)}${colon}${typeof given === 'string' ? given : yield* given}`);
  }
  return items.length === 0 ? '{}' : `{${items.join(',')}${end}}`;
}

// A text in JSON holds no line break, so each is one of the form.
function textOf(value: unknown, indent: number, depth: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', lineBreak(indent, depth));
}

function lineBreak(indent: number, depth: number): string {
  return `\n${' '.repeat(indent * depth)}`;
}
