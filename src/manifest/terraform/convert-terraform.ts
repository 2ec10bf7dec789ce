import { checkSpec } from '../../derive/check/check-spec.ts';
import { markerField, splitMetadata, stackIdOf } from '../../derive/marker.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
import type { SpecObject, SpecValue } from '../../kinds/value.ts';
import { isId } from '../../model/id.ts';
import type { ToWrite } from '../write/write-manifests.ts';
import { keyedValues, meaningOf, type TerraformResource } from './terraform-resource.ts';
import { sensitiveIn, terraformSpec, type TerraformValue } from './terraform-spec.ts';

/** Something that the manifests do not contain, or not as Terraform had it. */
export interface NotConverted {
  /** The address in Terraform. */
  readonly resource: string;
  readonly field?: string;
  readonly reason: string;
}

/** Resources of Terraform as resources to write, and what could not be converted. */
export interface Converted {
  readonly resources: readonly ToWrite[];
  readonly notConverted: readonly NotConverted[];
}

/** Converts what Terraform knows into live resources to be written as manifests, which adopt them by id. */
export function convertTerraform(all: readonly TerraformResource[], kinds: KindSet): Converted {
  const notConverted: NotConverted[] = [];
  const found = new Map<string, ToWrite & { readonly from: string }>();
  const modules: { readonly resource: TerraformResource; readonly kind: Kind; readonly module: string }[] = [];
  const blocks: (() => void)[] = [];
  for (const resource of all) {
    const meaning = meaningOf(resource.type, kinds);
    const deposed = 'the resource is a deposed object in the Terraform state, which Terraform would delete';
    if (resource.isDeposed) note(resource, undefined, deposed);
    else if (meaning === undefined) note(resource, undefined, `sluice does not manage ${resource.type}`);
    else if (meaning.module === undefined) addWhole(meaning.kind, resource);
    else modules.push({ resource, kind: meaning.kind, module: meaning.module });
  }
  // A separate resource has more information than a block inside another.
  for (const add of blocks) add();
  for (const { resource, kind, module } of modules) addModule(resource, kind, module);
  for (const { actual, from } of found.values()) {
    const kind = kinds.named(actual.kind);
    const findings = kind === undefined ? [] : checkSpec(kind, actual.spec);
    for (const { code, path, field = path } of findings)
      if (code === 'MISSING_FIELD')
        note({ address: from }, field.join('.'), 'the field is required, and Terraform does not know its value');
  }
  return { resources: [...found.values()], notConverted };

  function note({ address }: Pick<TerraformResource, 'address'>, field: string | undefined, reason: string): void {
    notConverted.push({ resource: address, ...(field === undefined ? {} : { field }), reason });
  }

  function addWhole(kind: Kind, resource: TerraformResource): void {
    const { values, sensitive, name } = resource;
    const children = kinds
      .within(kind.name)
      .flatMap(({ within }) => [within.embeddedAs, within.embeddedAs.replace(/s$/, '')]);
    const own = Object.fromEntries(Object.entries(values).filter(([key]) => !children.includes(key)));
    const id = add(kind, { value: own, sensitive }, resource, { name });
    for (const child of kinds.within(kind.name))
      for (const key of children)
        for (const [index, value] of (Array.isArray(values[key]) ? (values[key] as unknown[]) : []).entries()) {
          const part = { value, sensitive: sensitiveIn(sensitiveIn(sensitive, key), index) };
          const place = `${resource.address}.${key}[${String(index)}]`;
          blocks.push(() => add(child, part, { address: place }, { parent: id }));
        }
  }

  /** Adds a resource under its id, or under one made up where Terraform knows none. */
  function add(
    kind: Kind,
    given: TerraformValue,
    from: Pick<TerraformResource, 'address'>,
    { name, parent }: { readonly name?: string; readonly parent?: string },
  ): string {
    const values = keyedValues(given.value) ?? {};
    const marked = sensitiveIn(given.sensitive, 'id') === true;
    const known = typeof values['id'] === 'string' && isId(values['id']) && !marked ? values['id'] : undefined;
    const id = known ?? `new:${String(found.size)}`;
    const parentIsNew = parent !== undefined && found.get(`${kind.within?.kind ?? ''} ${parent}`)?.isNew === true;
    if (known === undefined && (parent === undefined ? values['id'] !== undefined : !parentIsNew))
      note(
        from,
        'id',
        'the file does not contain the id of the resource; if the resource exists, set `lifecycle.adopt` to its id',
      );
    if (found.has(`${kind.name} ${id}`)) {
      if (parent === undefined) note(from, undefined, `another resource in the Terraform state has the same id`);
      return id;
    }
    const by = kind.within?.by;
    const spec = terraformSpec(kind.fields, given, (field, reason) => note(from, field, reason));
    const home = parent ?? (by === undefined ? undefined : textIn(spec[by]));
    const field = markerField(kind);
    const metadata = splitMetadata(field === undefined ? '' : (textIn(spec[field]) ?? ''));
    const owner = metadata.marker === undefined ? undefined : stackIdOf(metadata.marker);
    found.set(`${kind.name} ${id}`, {
      actual: {
        kind: kind.name,
        id,
        spec: {
          ...spec,
          ...(field !== undefined && metadata.marker !== undefined ? { [field]: metadata.text } : {}),
          ...(by === undefined || home === undefined ? {} : { [by]: home }),
        },
        computed: computedIn(kind, given),
        ...(home === undefined ? {} : { parent: home }),
      },
      from: from.address,
      ...(name === undefined || name === '' ? {} : { name }),
      ...(owner === undefined ? {} : { otherStack: owner }),
      ...(known === undefined ? { isNew: true } : {}),
    });
    return id;
  }

  /** Adds a module that is a resource of its own to the resource that it belongs to. */
  function addModule({ address, values, sensitive }: TerraformResource, kind: Kind, module: string): void {
    const ids = Object.entries(values).flatMap(([key, value]) =>
      /(^|_)id$/.test(key) && typeof value === 'string' ? [[key, value] as const] : [],
    );
    const key = ids.map(([, id]) => `${kind.name} ${id}`).find((one) => found.has(one));
    const home = key === undefined ? undefined : found.get(key);
    if (key === undefined || home === undefined) {
      note({ address }, undefined, `the ${kind.name} that contains the resource is not in the file`);
      return;
    }
    const nested = values[module] !== undefined && values[module] !== null;
    const places = new Set([home.actual.id, home.actual.parent]);
    const own = nested
      ? values[module]
      : Object.fromEntries(
          Object.entries(values).filter(
            ([name, value]) =>
              !(['id', 'uri'].includes(name) || ids.some(([one]) => one === name && places.has(value as string))),
          ),
        );
    const part = { [module]: own };
    const marks = nested ? sensitive : { [module]: sensitive };
    const converted = terraformSpec(
      kind.fields,
      { value: part, sensitive: sensitive === true ? true : marks },
      (field, reason) => note({ address }, field, reason),
    );
    const spec: SpecObject = { ...home.actual.spec, ...converted };
    found.set(key, { ...home, actual: { ...home.actual, spec } });
  }
}

function textIn(value: SpecValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The computed values that are not sensitive: some of them show what a manifest can omit. */
function computedIn({ fields }: Kind, { value, sensitive }: TerraformValue): SpecObject {
  const values = keyedValues(value) ?? {};
  return Object.fromEntries(
    Object.keys(fields).flatMap((name): [string, string][] => {
      const text = values[name];
      const isShown =
        fields[name]?.lifecycle === 'computed' && sensitive !== true && keyedValues(sensitive)?.[name] === undefined;
      return isShown && typeof text === 'string' ? [[name, text]] : [];
    }),
  );
}
