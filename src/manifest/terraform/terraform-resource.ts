import { isJsonObject, type JsonObject } from '../../model/json-object.ts';
import { asName } from '../write/write-names.ts';

/** One instance of a managed resource, as Terraform describes it. */
export interface TerraformResource {
  /** With modules and index, such as `module.web.example_thing.shop["eu"]`. */
  readonly address: string;
  readonly type: string;
  /** A name for its manifest: modules, name and index. Empty if nothing of them can be in one. */
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** True where a value is sensitive, in the structure of the values. */
  readonly sensitive: unknown;
  /** it is a deposed object in Terraform. */
  readonly isDeposed: boolean;
}

/** Reads one entry of `resources`; data sources and entries without type, name or values are omitted. */
export function resourceInstance(entry: Readonly<Record<string, unknown>> | undefined): TerraformResource | undefined {
  const { mode, type, name, address, sensitive_values: sensitive, deposed_key: deposed } = entry ?? {};
  const values = keyedValues(entry?.['values']);
  if (mode !== 'managed' || typeof type !== 'string' || typeof name !== 'string' || values === undefined)
    return undefined;
  const place = typeof address === 'string' ? address : `${type}.${name}`;
  return {
    address: place,
    type,
    name: asName(place.replaceAll(/(^|\.)module\./g, '$1').replace(`${type}.`, '')),
    values,
    sensitive,
    isDeposed: deposed !== undefined,
  };
}

/** The values of a JSON object by their keys; undefined for any other value. */
export function keyedValues(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}
