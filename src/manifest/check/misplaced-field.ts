import { fieldAt, fieldsIn } from '../../derive/field-at.ts';
import type { Fields, Kind, KindSet } from '../../kinds/kind.ts';
import type { Path } from '../../kinds/value.ts';
import { lifecycleKeys } from './check-renewal.ts';
import { moduleSetsField, takesModuleSets } from './module-set.ts';

/** The block of a manifest in which an unknown field was written. */
export type Block = 'manifest' | 'metadata' | 'lifecycle' | 'spec';

/** Where an unknown field was written. */
export interface WrittenAt {
  readonly block: Block;
  /** The group within `spec`. */
  readonly path: Path;
  readonly kind: Kind;
  readonly kinds: KindSet;
  /** Whether it is written inside its parent, where name, labels and lifecycle are fields. */
  readonly isNested: boolean;
}

/** The blocks of a manifest that has a lifecycle. */
export const manifestBlocks = ['apiVersion', 'kind', 'metadata', 'lifecycle', 'spec'];

/** The hint to where a field belongs that is unknown where it was written, if it is known elsewhere. */
export function misplacedField(key: string, at: WrittenAt): { readonly hint?: string } {
  const hint = placeOf(key, at) ?? (Object.hasOwn(foreignFields, key) ? foreignFields[key] : undefined);
  return hint === undefined ? {} : { hint };
}

function placeOf(key: string, at: WrittenAt): string | undefined {
  const { block, kind, kinds, isNested } = at;
  const lifecycle = isNested ? '`lifecycle` of the same entry' : '`lifecycle`, beside `spec`';
  if (block !== 'lifecycle' && lifecycleKeys.includes(key)) return `\`${key}\` belongs in ${lifecycle}`;
  if (block !== 'manifest' && manifestBlocks.includes(key) && !isNested)
    return `\`${key}\` belongs at the top level of the manifest, beside \`spec\``;
  if (block !== 'metadata' && (key === 'name' || key === 'labels') && !isNested)
    return `\`${key}\` belongs in \`metadata\``;
  if (block === 'spec') {
    const deeper = placesBelow(at.path.length === 0 ? kind.fields : fieldsIn(fieldAt(kind.fields, at.path)), key);
    if (deeper.length > 0) return `\`${key}\` belongs in ${alternatives(deeper)}`;
    if (at.path.length > 0 && isWritable(kind.fields, key)) return `\`${key}\` belongs in \`${kind.name}.spec\``;
  } else if (isWritable(kind.fields, key) || kinds.within(kind.name).some(({ within }) => within.embeddedAs === key))
    return `\`${key}\` belongs in \`spec\`${block === 'manifest' ? ': indent it below `spec:`' : ''}`;
  return inRelatedKind(key, at);
}

/** A field of a nested resource, or of the parent. */
function inRelatedKind(key: string, { kind, kinds }: WrittenAt): string | undefined {
  for (const child of kinds.within(kind.name))
    if (isWritable(child.fields, key) || (takesModuleSets(child) && key === moduleSetsField))
      return `\`${key}\` belongs in an entry of \`${kind.name}.spec.${child.within.embeddedAs}\``;
  const parent = kinds.named(kind.within?.kind ?? '');
  if (parent !== undefined && isWritable(parent.fields, key)) return `\`${key}\` belongs in \`${parent.name}.spec\``;
  const others = kinds.all.filter((one) => one !== kind && isWritable(one.fields, key));
  return others.length === 1 ? `\`${key}\` is a field of ${others.map(({ name }) => name).join()}` : undefined;
}

/** The groups below some fields that have a field of this name, by their path. */
function placesBelow(fields: Fields, key: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = fieldsIn(field);
    const own = isWritable(inner, key) ? [name] : [];
    return [...own, ...placesBelow(inner, key).map((path) => `${name}.${path}`)];
  });
}

function isWritable(fields: Fields, key: string): boolean {
  return Object.hasOwn(fields, key) && fields[key]?.lifecycle !== 'computed';
}

/** The names of the fields that manifests can set: those that the service does not compute. */
export function writableNames(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => isWritable(fields, name));
}

function alternatives(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => `\`${path}\``);
  return paths.length > 3 ? `${shown.join(', ')} or others` : shown.join(' or ');
}

/** Fields of Terraform and Kubernetes, by what to write in their place. */
const foreignFields: Readonly<Record<string, string>> = {
  prevent_destroy: 'write `lifecycle: {protect: true}` beside `spec`',
  deletion_protection: 'write `lifecycle: {protect: true}` beside `spec`',
  ignore_changes: 'write `lifecycle: {ignore: [/FIELD]}` beside `spec`, with JSON pointers into `spec`',
  create_before_destroy: 'remove the field: sluice already orders changes so that requests are not interrupted',
  replace_triggered_by: 'remove the field: sluice replaces a resource when an immutable field changes',
  depends_on: 'remove the field: references such as {ref: NAME} determine the order',
  count: 'write one manifest for each resource',
  for_each: 'write one manifest for each resource',
  provider: 'remove the field: set the service in `api` of sluice.yaml',
  provisioner: 'remove the field: sluice runs no commands',
  timeouts: 'remove the field: retries and timeouts are built in',
  variables: 'write values as {from_env: NAME} or {from_file: PATH}',
  resource: 'write each resource as a manifest with `kind`, `metadata.name` and `spec`',
  import: 'write `lifecycle: {adopt: ID}` beside `spec`, or run `sluice import`',
  import_id: 'write `lifecycle: {adopt: ID}` beside `spec`, or run `sluice import`',
  moved: 'write `lifecycle: {moved_from: ADDRESS}` beside `spec`',
  namespace: 'remove the field: resources have no namespace; each stack has its own name, `stack.name` in sluice.yaml',
  annotations: 'use `metadata.labels` to select resources, or `spec.metadata` for data that the service stores',
  finalizers: 'write `lifecycle: {protect: true}` or `lifecycle: {on_remove: retain}` beside `spec`',
  generateName: 'write the name of the resource in `metadata.name`',
  ownerReferences: 'remove the field: references such as {ref: NAME} determine the order',
  status: 'remove the field: `sluice get KIND NAME` shows the status from the service',
  selector: 'set labels in `metadata.labels`, and select resources with `sluice plan -l LABEL=VALUE`',
  data: 'write the fields of the resource in `spec`',
  stringData: 'write secrets as {from_env: NAME} or {from_file: PATH}',
  tags: 'use `metadata.labels` to select resources, or `spec.metadata` for data that the service stores',
  secretKeyRef: 'write {from_env: NAME} or {from_file: PATH}',
  valueFrom: 'write {from_env: NAME} or {from_file: PATH}',
};
