import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What earlier steps answered, by the name they gave it. */
export type Captured = Readonly<Record<string, Json>>;

/** Puts captured values, files and repeated text in place of `${…}` and `<times:N:text>`, and shapes in place of `is`. */
export function spellOut(value: Json, captured: Captured, shapes: Readonly<Record<string, Json>>): Json {
  if (typeof value === 'string') return spellOutText(value, captured);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((entry) => spellOut(entry, captured, shapes));
  const { is, ...own } = value;
  const written = typeof is === 'string' ? { ...shapeNamed(shapes, is), ...own } : value;
  return Object.fromEntries(Object.entries(written).map(([key, of]) => [key, spellOut(of, captured, shapes)]));
}

/** Whether a value is a list (Array.isArray does not narrow readonly ones). */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The same for what is text and stays text. */
export function spellOutLine(line: string, captured: Captured): string {
  const value = spellOutText(line, captured);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function spellOutText(text: string, captured: Captured): Json {
  const whole = /^\$\{([^}]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) return valueNamed(whole, captured);
  return text
    .replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => textNamed(name, captured))
    .replaceAll(/<times:(\d+):([^>]+)>/g, (_, count: string, of: string) => of.repeat(Number(count)));
}

function textNamed(name: string, captured: Captured): string {
  const value = valueNamed(name, captured);
  if (typeof value === 'string') return value;
  throw new Error(`a fixture puts \${${name}}, which is no text, inside a text`);
}

function valueNamed(name: string, captured: Captured): Json {
  if (name.startsWith('file:')) return readFileSync(join(import.meta.dirname, 'data', name.slice(5)), 'utf8');
  let value: unknown = captured;
  for (const key of name.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  if (value === undefined) throw new Error(`a fixture uses \${${name}}, which no earlier answer holds`);
  return value as Json;
}

function shapeNamed(shapes: Readonly<Record<string, Json>>, name: string): Record<string, Json> {
  const shape = shapes[name];
  if (shape === undefined || shape === null || typeof shape !== 'object' || isList(shape))
    throw new Error(`a fixture reads like "${name}", which is no shape`);
  return shape;
}
