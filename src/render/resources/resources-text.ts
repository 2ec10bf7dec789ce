import { safeText } from '../../diagnostics/safe-text.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import { present } from '../../model/present.ts';
import { maskedJson, maskMark } from '../values/masked-json.ts';
import type { Palette } from '../text/palette.ts';
import { table } from '../text/table.ts';
import { valueText } from '../values/value-text.ts';
import { yamlText } from '../text/yaml-text.ts';

/** A live resource, and whose it is. */
export interface Live {
  readonly actual: Actual;
  /** Its address, if it belongs to the stack at hand. */
  readonly address: Address | undefined;
  /** The name of the stack it belongs to, if any. */
  readonly stack: string | undefined;
}

/** Live resources of a kind, a line each. */
export function liveTable(kind: Kind, resources: readonly Live[], palette: Palette): string {
  const shown = [...kind.printerColumns, ...(Object.hasOwn(kind.fields, 'description') ? ['description'] : [])];
  const rows = resources.map(({ actual, address, stack }) => [
    address === undefined ? '-' : safeText(address.slice(address.indexOf('/') + 1)),
    safeText(stack ?? '-'),
    safeText(actual.id),
    ...shown.map((name) => cell(actual.spec[name] ?? actual.computed[name])),
  ]);
  const head = ['NAME', 'STACK', 'ID', ...shown.map((name) => name.toUpperCase())];
  return table(head, rows, palette, `No ${kind.name} exists.\n`);
}

/** Live resources as YAML documents, secrets masked. */
export function liveYaml(resources: readonly Live[]): string {
  return resources.map((live) => yamlText(liveJson(live))).join('---\n');
}

/** A live resource as a value for JSON, secrets masked. */
export function liveJson({ actual, address, stack }: Live): Readonly<Record<string, unknown>> {
  const masked = (values: SpecObject): unknown => maskedJson(values, (_, secret) => maskMark(secret));
  const { kind, id, parent, spec } = actual;
  const { id: _, ...computed } = actual.computed;
  return present({ kind, address, stack, id, parent, spec: masked(spec), computed: masked(computed) });
}

function cell(value: SpecObject[string] | undefined): string {
  if (value === undefined || value === null || value === '') return '-';
  return Array.isArray(value) ? value.map((item) => valueText(item as SpecObject[string])).join(',') : valueText(value);
}
