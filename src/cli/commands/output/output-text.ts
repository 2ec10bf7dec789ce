import { isSecretAt, type OutputObject, type OutputValue } from '../../../derive/wire/outputs.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Address } from '../../../model/address.ts';
import { isJsonObject } from '../../../model/json-object.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import { valueText } from '../../../render/values/value-text.ts';
import { suggestAddress, UsageError } from '../../../stack/usage-error.ts';

/** Outputs as a table, one value per line, by the name that selects each. */
export function outputTable(all: readonly (readonly [string, OutputObject])[], palette: Palette): string {
  const rows = all.flatMap(([name, outputs]) => rowsOf(name, outputs));
  return table(['OUTPUT', 'VALUE'], rows, palette, 'This stack has no resources.\n');
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

/** One resource of this stack with its outputs. */
export interface OutputText {
  readonly kind: Kind;
  readonly outputs: OutputObject;
}

/** Finds an output by address and path. Addresses can contain dots, so the longest match is used. */
export function outputAt(
  what: string,
  resources: ReadonlyMap<Address, OutputText>,
): { readonly address: Address; readonly path: readonly string[]; readonly value: OutputValue } {
  const [address] = [...resources.keys()]
    .filter((one) => what === one || what.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length);
  const found = address === undefined ? undefined : resources.get(address);
  if (address === undefined || found === undefined)
    throw new UsageError(
      `output ${quoted(what, 200)} not found in this stack`,
      suggestAddress(what, resources.keys()) ?? 'run `sluice output` to list all outputs',
    );
  const path = what === address ? [] : what.slice(address.length + 1).split('.');
  if (isSecretAt(found.kind.fields, path))
    throw new Refused('SECRET_NOT_SHOWN', `${safeText(what, 200)} is a secret and is never printed`);
  let value: OutputValue = found.outputs;
  for (const name of path) {
    if (!isGroup(value) || !Object.hasOwn(value, name) || value[name] === undefined) throw notThere(what, name, value);
    value = value[name];
  }
  return { address, path, value };
}

function notThere(what: string, name: string, value: OutputValue): UsageError {
  const known = isGroup(value) ? Object.keys(value) : [];
  return new UsageError(
    `the field ${safeText(what, 200)} is not set or does not exist`,
    suggestAddress(name, known) ?? (known.length > 0 ? `use one of: ${known.join(', ')}` : undefined),
  );
}
