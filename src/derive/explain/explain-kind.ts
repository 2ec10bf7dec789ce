import * as z from 'zod';
import type { Field, Kind, Leaf, Provenance, KindSet } from '../../kinds/kind.ts';
import { counted } from '../../diagnostics/counted.ts';
import { fieldsIn } from '../field-at.ts';
import { spellings } from '../spelling/spelling.ts';

/** The description of a field of a kind. */
export interface FieldFacts {
  readonly name: string;
  /** In words, such as `set of ids (Kind)`. */
  readonly type: string;
  readonly doc: string;
  readonly required: boolean;
  /** A change replaces the resource. */
  readonly immutable: boolean;
  readonly computed: boolean;
  readonly secret: boolean;
  readonly default?: string | number | boolean;
  readonly limits: readonly string[];
  /** Differences that are no change, because services make them themselves. */
  readonly ignores?: string;
  /** What it keeps requests from, where it does. */
  readonly access_control?: string;
  readonly filter?: string;
  /** The source of the fact that it exists. */
  readonly since: Provenance;
}

/** What is said of a field about which there is nothing special. */
export const plainFacts = {
  required: false,
  immutable: false,
  computed: false,
  secret: false,
  limits: [],
  since: 'described',
} as const;

/** A kind, or one of its fields, with what is inside. */
export interface Explained {
  readonly path: readonly string[];
  readonly doc: string;
  /** The field itself; absent for a kind. */
  readonly field?: FieldFacts;
  readonly fields: readonly FieldFacts[];
  /** Where there is no such field: the part of the path that is wrong, and what there would be. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
}

/** Describes a kind, or of the field that a path of names leads to, also into nested resources. */
export function explain(kind: Kind, path: readonly string[], kinds: KindSet): Explained {
  let [doc, fields] = [kind.doc, fieldsWithin(kind, kinds)];
  let field: FieldFacts | undefined;
  for (const [depth, name] of path.entries()) {
    const next = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (next === undefined)
      return { path: path.slice(0, depth), doc, fields: [], unknown: { name, known: Object.keys(fields) } };
    const { facts, inside } =
      'kind' in next ? child(name, next.kind, kinds) : { facts: factsOf(name, next), inside: fieldsIn(next) };
    [doc, fields, field] = [facts.doc, inside, facts];
  }
  const inner = Object.entries(fields).map(([name, of]) =>
    'kind' in of ? child(name, of.kind, kinds).facts : factsOf(name, of),
  );
  return { path, doc, fields: inner, ...(field === undefined ? {} : { field }) };
}

/** A field, or the nested resources under its name. */
type Inner = Field | { readonly kind: Kind };
type Inside = Readonly<Record<string, Inner>>;

function fieldsWithin(kind: Kind, kinds: KindSet): Inside {
  const inside = kinds.within(kind.name).map((one): [string, Inner] => [one.within.embeddedAs, { kind: one }]);
  return { ...kind.fields, ...Object.fromEntries(inside) };
}

function child(name: string, kind: Kind, kinds: KindSet): { readonly facts: FieldFacts; readonly inside: Inside } {
  const { [kind.within?.by ?? '']: _, ...inside } = fieldsWithin(kind, kinds);
  return { facts: { name, type: `list of ${kind.name}`, doc: kind.doc, ...plainFacts }, inside };
}

function factsOf(name: string, field: Field): FieldFacts {
  const leaf = field.is === 'leaf' ? field : undefined;
  const given = leaf?.default === '' || leaf?.default === undefined ? {} : { default: leaf.default };
  return {
    name,
    type: typeOf(field),
    doc: field.doc,
    required: field.required !== undefined,
    immutable: field.lifecycle === 'immutable',
    computed: field.lifecycle === 'computed',
    secret: leaf?.secret === true,
    ...given,
    limits: limitsOf(field),
    ...ignoredIn(field),
    ...(field.is === 'group' && field.accessControl !== undefined ? { access_control: field.accessControl } : {}),
    ...(field.is === 'group' && field.filter !== undefined ? { filter: field.filter } : {}),
    since: field.since,
  };
}

function ignoredIn(field: Field): { readonly ignores?: string } {
  if (field.is === 'list') return ignoredIn(field.of);
  if (field.is === 'group' || field.lifecycle === 'computed') return {};
  const ignores =
    field.is === 'leaf'
      ? spellings[field.compare].ignores
      : [field.key, field.of].flatMap(({ compare }) => spellings[compare].ignores ?? []).join(', ');
  return ignores === undefined || ignores === '' ? {} : { ignores };
}

function typeOf(field: Field): string {
  if (field.is === 'group') return field.path === undefined ? 'mapping' : 'module';
  if (field.is === 'list') return `${field.order === 'set' ? 'set' : 'list'} of ${typeOf(field.of)}`;
  if (field.is === 'dict') return `mapping from ${typeOf(field.key)} to ${typeOf(field.of)}`;
  return leafType(field);
}

function leafType({ schema, ref, format }: Leaf): string {
  const { type, enum: words, format: time } = z.toJSONSchema(schema);
  if (ref !== undefined) return `id (${ref.to})`;
  if (Array.isArray(words)) return `one of ${words.map(String).join(', ')}`;
  if (type === 'boolean') return 'boolean';
  if (type === 'integer') return 'integer';
  if (type === 'number') return 'number';
  if (time === 'date-time') return 'time (RFC 3339)';
  return format === undefined ? 'string' : `string (${format})`;
}

function limitsOf(field: Field): string[] {
  if (field.is === 'list')
    return [
      ...(field.atLeast === undefined ? [] : [`at least ${counted(field.atLeast.count, 'item')}`]),
      ...(field.unique === undefined ? [] : ['unique items']),
      ...limitsOf(field.of),
    ];
  if (field.is !== 'leaf') return [];
  const { minimum, maximum, type } = z.toJSONSchema(field.schema);
  const isNumber = type === 'integer' || type === 'number';
  return [
    ...(isNumber && minimum !== undefined && maximum !== undefined ? [`${String(minimum)} to ${String(maximum)}`] : []),
    ...(field.limit === undefined ? [] : [`at most ${String(field.limit.max)} ${field.limit.unit}`]),
  ];
}
