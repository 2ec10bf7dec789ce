import { spelledKind } from '../../derive/explain/kind-words.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
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

/** The kind, or one module of a kind, that a resource type means, whatever the provider is called: after the first word, which is the provider, its words are those of the kind, in any order and number, and then the name of the module. */
export function meaningOf(type: string, kinds: KindSet): { readonly kind: Kind; readonly module?: string } | undefined {
  for (const kind of kinds.all) {
    if (namesOf(kind).some((words) => isCalled(type, words))) return { kind };
    for (const [module, field] of Object.entries(kind.fields))
      if (field.is === 'group' && type.endsWith(`_${module}`))
        if (namesOf(kind).some((words) => isCalled(type.slice(0, -module.length - 1), words))) return { kind, module };
  }
  return undefined;
}

function namesOf({ name, alsoCalled = [] }: Kind): readonly (readonly string[])[] {
  return [spelledKind(name).split('-'), ...alsoCalled.map((other) => other.split('_'))];
}

function isCalled(type: string, words: readonly string[]): boolean {
  // Terraform itself takes the first word for the name of the provider, so that more words before the kind are of another thing.
  const own = type.split('_').slice(1);
  return (
    words.length === own.length && words.every((word) => own.some((one) => one === word || singular(one) === word))
  );
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss)es$|s$/, '');
}
