import type { OutputObject, OutputValue } from '../../../derive/wire/outputs.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import { valueText } from '../../../render/values/value-text.ts';

/** Outputs as a table, one value per line, by the name that selects each. */
export function outputTable(all: readonly (readonly [string, OutputObject])[], palette: Palette): string {
  const rows = all.flatMap(([name, outputs]) => rowsOf(name, outputs));
  if (rows.length === 0) return 'This stack has no resources.\n';
  return table(['OUTPUT', 'VALUE'], rows, palette);
}

/** One value as text; a list is printed one item per line. */
export function outputLines(value: OutputValue): string {
  return outputItems(value)
    .map((item) => `${linesOf(item)}\n`)
    .join('');
}

/** Whether an output is a group of named outputs. */
export function isGroup(value: OutputValue): value is OutputObject {
  return isJsonObject(value);
}

/** The items of a list; any other value as the only item. */
export function outputItems(value: OutputValue): readonly OutputValue[] {
  return Array.isArray(value) ? (value as readonly OutputValue[]) : [value];
}

function linesOf(value: OutputValue): string {
  if (typeof value !== 'string') return valueText(value);
  return value
    .trimEnd()
    .split('\n')
    .map((line) => safeText(line, Infinity))
    .join('\n');
}

function rowsOf(name: string, value: OutputValue): string[][] {
  if (isGroup(value)) return Object.entries(value).flatMap(([key, item]) => rowsOf(`${name}.${key}`, item));
  const text = outputItems(value).map((item) =>
    typeof item === 'string' && !/[\r\n]/.test(item) && item.length < 100 ? safeText(item) : valueText(item),
  );
  return [[safeText(name), text.join(', ')]];
}
