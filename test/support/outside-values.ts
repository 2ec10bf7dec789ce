import { stringify } from 'yaml';
import { isIdentifying } from '../../src/kinds/is-identifying.ts';
import type { Field, Fields, Group, Kind, Leaf, KindSet } from '../../src/kinds/kind.ts';
import type { Written, WrittenObject } from '../generators/item.ts';
import { byFormat, instants } from '../generators/pools.ts';
import * as z from 'zod';
import type { Canaries } from './canaries.ts';

/** A stack in which every field that can be masked takes its value from a variable or a file. */
export interface OutsideStack {
  /** Everything from outside. */
  readonly manifests: string;
  /** The same fields with values written out, none of them a canary. */
  readonly literal: string;
  /** The same resources with the fields that must be there alone, and those written out. */
  readonly bare: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** How many values come from outside. */
  readonly count: number;
  /** How many resources there are. */
  readonly resources: number;
}

type From = (leaf: Leaf, where: string) => Written;

/** Makes such a stack of every kind there is, with values of their own for each `round`. */
export function outsideStack(kinds: KindSet, canaries: Canaries, round: number): OutsideStack {
  const env: Record<string, string> = { NO_CANARY: 'a secret that nobody plants' };
  const files: Record<string, string> = {};
  let count = 0;
  const outside: From = (leaf, where) => {
    if (isIdentifying(leaf)) return plain(leaf);
    const text = planted(leaf, canaries, where, round);
    const name = `value-${String(count++)}`;
    // A file that is plainly text of its field may be printed, so such fields take theirs from a variable.
    if (leaf.format === 'pem' || leaf.format === 'saml' || leaf.format === 'ssh-public-key' || count % 2 === 0) {
      env[`OUTSIDE_${name.replace('-', '_')}`] = text;
      return { from_env: `OUTSIDE_${name.replace('-', '_')}` };
    }
    files[`outside/${name}`] = leaf.format === 'policy' ? text.replace(/^.*name: (\S+).*$/, '$1') : text;
    return { from_file: `../outside/${name}` };
  };
  const manifests = stackText(kinds, outside, true);
  return {
    manifests,
    literal: stackText(kinds, plain, true),
    bare: stackText(kinds, plain, false),
    env,
    files,
    count,
    resources: manifests.split('\n---\n').length,
  };
}

function stackText(kinds: KindSet, from: From, whole: boolean): string {
  return kinds.all
    .flatMap((kind) => variants(kind, from, whole).map((spec, index) => manifest(kind, index, spec)))
    .map((value) => stringify(value))
    .join('---\n');
}

function manifest(kind: Kind, index: number, spec: WrittenObject): WrittenObject {
  const own = {
    ...(kind.within === undefined ? {} : { [kind.within.by]: { ref: 'resource-0' }, match: `/${String(index)}` }),
    ...(kind.traffic?.listens === undefined ? {} : { [kind.traffic.listens]: ['shop.example.com:443'] }),
  };
  const metadata = { name: `resource-${String(index)}` };
  const lifecycle = kind.protectedBecause === undefined ? {} : { lifecycle: { protect: false } };
  return { apiVersion: 'sluice/v1', kind: kind.name, metadata, ...lifecycle, spec: { ...spec, ...own } };
}

/** Specs of a kind that together set every field that can be masked: modules one at a time, since some exclude each other. */
function variants({ fields }: Kind, from: From, whole: boolean): WrittenObject[] {
  const plainFields = Object.fromEntries(
    Object.entries(fields).filter(([, field]) => field.is !== 'group' || field.path === undefined),
  );
  const own = filled(plainFields, from, whole, '');
  const modules = Object.entries(fields).filter(
    ([, field]) => field.is === 'group' && field.path !== undefined && canBeMasked(field),
  );
  if (modules.length === 0) return [own];
  if (!whole) return modules.flatMap(([name, field]) => choices(field as Group, from, true, name).map(() => own));
  return modules.flatMap(([name, field]) =>
    choices(field as Group, from, whole, name).map((module): WrittenObject => ({ ...own, [name]: module })),
  );
}

/** Every way to fill a group: one for each of its fields where it takes exactly one. */
function choices(group: Group, from: From, whole: boolean, where: string): WrittenObject[] {
  const inner = Object.entries(group.fields).find(
    ([, field]) => field.is === 'group' && field.rules.some(({ code }) => code === 'EXACTLY_ONE_REQUIRED'),
  );
  const rest = (): WrittenObject => filled(group.fields, from, whole, where);
  if (inner === undefined) return [rest()];
  const [name, field] = inner as [string, Group];
  // Of those that have the same fields, one says it all.
  const shapes = new Map(
    Object.entries(field.fields).map((entry) => [Object.keys((entry[1] as Group).fields).join(), entry]),
  );
  return [...shapes.values()].map(([choice, of]) => ({
    ...rest(),
    [name]: { [choice]: filled((of as Group).fields, from, whole, `${where}/${choice}`) },
  }));
}

function filled(fields: Fields, from: From, whole: boolean, where: string): WrittenObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, Written][] => {
      if (field.lifecycle === 'computed' || !(field.required !== undefined || (whole && canBeMasked(field)))) return [];
      const value = valueOf(field, from, whole, `${where}/${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function valueOf(field: Field, from: From, whole: boolean, where: string): Written | undefined {
  if (field.is === 'leaf') return from(field, where);
  if (field.is === 'dict') return { 'x-area': from(field.of, where) };
  if (field.is === 'group') return filled(field.fields, from, whole, where);
  return [field.of.is === 'group' ? filled(field.of.fields, from, whole, where) : from(field.of, where)];
}

/** Whether a field, or any inside it, takes text that need not be shown. */
export function canBeMasked(field: Field): boolean {
  if (field.lifecycle === 'computed') return false;
  if (field.is === 'leaf') return field.schema.safeParse('text').success && !isIdentifying(field);
  if (field.is === 'group') return Object.values(field.fields).some(canBeMasked);
  return canBeMasked(field.of);
}

/** A text that a field takes and that holds a canary. */
function planted(leaf: Leaf, canaries: Canaries, where: string, round: number): string {
  const pool = leaf.format === undefined ? [] : byFormat[leaf.format];
  const ready = pool[round % Math.max(pool.length, 1)] ?? '';
  if (leaf.format === 'pem') return canaries.plantText(ready, where);
  // Keys are equal whatever their comments say, so none is planted in one.
  if (leaf.format === 'ssh-public-key') return ready;
  const word = canaries.plantWord(where);
  switch (leaf.format) {
    case 'email':
      return `${word}@example.com`;
    case 'hostname':
      return `${word}.example.com`;
    case 'url':
      return `https://login.example.com/${word}`;
    case 'team':
      return `${word}/web`;
    case 'json':
      return `{"note":"${word}"}`;
    case 'policy':
      return `on_http_request: [{name: ${word}}]`;
    case 'saml':
      return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${word}"/>`;
    default:
      return word;
  }
}

/** A value that a field takes and that nobody minds. */
function plain(leaf: Leaf): Written {
  if (leaf.secret === true) return { from_env: 'NO_CANARY' };
  if (leaf.ref !== undefined) return `ext_${leaf.ref.to.replaceAll('_', '')}`;
  if (leaf.schema instanceof z.ZodEnum) return String(leaf.schema.options[0]);
  if (leaf.compare === 'instant') return instants[1];
  const candidates = leaf.format === undefined ? ['github', 'x-other'] : byFormat[leaf.format].toReversed();
  return candidates.find((text) => leaf.checks.every(({ test }) => test(text) === undefined)) ?? 'plain';
}
