import type { Kind } from '../../kinds/kind.ts';
import { isSpecObject, type Path, type SpecValue } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';

const longest = 63;

/** The text from which a name for a live resource is made: its first identifying field, its description, or its id. */
export function naturalName({ printerColumns: shows, fields }: Kind, { id, spec, computed }: Actual): string {
  const labels = [shows[0] ?? '', ...(Object.hasOwn(fields, 'description') ? ['description'] : [])];
  const texts = labels.map((field) => textIn(spec[field] ?? computed[field]));
  return [...texts, id].map(asName).find((name) => name !== '') ?? 'unnamed';
}

/** A text as near as a DNS label comes to it; empty where nothing is left. */
export function asName(text: string): string {
  return trimmed(
    text
      .normalize('NFKD')
      .toLowerCase()
      // The default port is no part of a name.
      .replace(/:443$/, '')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '-'),
  );
}

/** Names that are taken, each with the highest number that was tried for it. */
export type TakenNames = Map<string, number>;

/** The name, or the first with a number that nobody has yet; taken from then on. */
export function unique(name: string, taken: TakenNames, separator = '-'): string {
  let free = name;
  while (taken.has(free)) {
    const count = (taken.get(name) ?? 1) + 1;
    taken.set(name, count);
    const end = `${separator}${String(count)}`;
    free = `${trimmed(name.slice(0, longest - end.length))}${end}`;
  }
  taken.set(free, 1);
  return free;
}

/** The name of an environment variable that is made of words; taken from then on. */
export function variableNamed(words: Path, prefix: string, taken: TakenNames): string {
  const named = words.map((word) => asName(String(word))).filter((word) => word !== '');
  const text = `${prefix}${named.join('_')}`.replaceAll('-', '_').toUpperCase();
  return unique(/^\d/.test(text) ? `_${text}` : text, taken, '_');
}

function trimmed(text: string): string {
  return text
    .slice(0, longest + 1)
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
}

/** The first text in a value; of a set, whose order means nothing, the first by the alphabet. */
function textIn(value: SpecValue | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item: SpecValue) => textIn(item)).sort()[0] ?? '';
  return isSpecObject(value)
    ? (Object.values(value)
        .map(textIn)
        .find((text) => text !== '') ?? '')
    : '';
}
