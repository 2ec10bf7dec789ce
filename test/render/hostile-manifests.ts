import fc from 'fast-check';
import * as z from 'zod';
import { isId } from '../../src/model/id.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Dict, Field, Fields, FieldFormat, Group, Kind, Leaf, List } from '../../src/kinds/kind.ts';
import { anyValue } from '../generators/spec.ts';
import { byFormat } from '../generators/pools.ts';
import type { Written, WrittenObject } from '../generators/item.ts';
import type { Canaries } from '../support/canaries.ts';

/** What the texts of a manifest are made of. */
export interface Texts {
  /** A text for a field, out of forms of one that was drawn; undefined where nothing drawn may stand there. */
  readonly text: (forms: (text: string) => readonly string[], fits: (text: string) => boolean) => string | undefined;
  readonly canaries: Canaries;
  /** Takes the canaries that manifests take from the environment. */
  readonly env: Record<string, string>;
  /** Every secret comes from the environment; else one in three is written out. */
  readonly isDiscreet?: true;
  /** Has other numbers and flags drawn. */
  readonly seed?: number;
}

/** Resources of every kind with every field of it in one of them, in manifests: each text a drawn one, where the field takes it. */
export function hostileManifests(texts: Texts, { copies }: { readonly copies: number }): readonly WrittenObject[] {
  let count = 0;
  return kinds.all
    .filter(({ within }) => within === undefined)
    .flatMap((kind) =>
      Array.from({ length: copies }, (_, copy) =>
        specsOf(kind, copy).map((spec, index) => {
          const inner = kinds.within(kind.name).map((child): [string, Written] => [
            child.within.embeddedAs,
            index > 0
              ? []
              : specsOf(child, copy).map((own, at) => ({
                  // One in three goes by its match, which is a text like all others.
                  ...(at % 3 === 0 ? {} : { name: `r${String(at)}` }),
                  ...own,
                })),
          ]);
          return {
            apiVersion: 'sluice/v1',
            kind: kind.name,
            metadata: { name: `n${String(copy)}-${String(index)}`, labels: { team: drawn() ?? 'web' } },
            lifecycle: { protect: false, ...(index === 0 ? {} : { moved_from: `${kind.name}/${drawn() ?? 'x'}` }) },
            spec: { ...spec, ...Object.fromEntries(inner) },
          };
        }),
      ).flat(),
    );

  function drawn(): string | undefined {
    return texts.text(
      (text) => [text],
      () => true,
    );
  }

  function specsOf(kind: Kind, copy: number): WrittenObject[] {
    return variants(withoutField(kind.fields, kind.within?.by), `${kind.name}${String(copy)}`);
  }

  /** Objects in which every field is met: what is no group in each, the groups by turns. */
  function variants(fields: Fields, at: string): WrittenObject[] {
    const writable = Object.entries(fields).filter(([, field]) => field.lifecycle !== 'computed');
    const plain = (): WrittenObject =>
      Object.fromEntries(
        writable.flatMap(([name, field]): [string, Written][] => {
          if (field.is === 'group' && field.required === undefined) return [];
          const value = valueOf(field, `${at} ${name}`);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    const grouped = writable.flatMap(([name, field]) =>
      field.is === 'group'
        ? groups(field, `${at} ${name}`).map((value): WrittenObject => ({ ...plain(), [name]: value }))
        : [],
    );
    return grouped.length === 0 ? [plain()] : grouped;
  }

  function groups(group: Group, at: string): WrittenObject[] {
    if (!group.rules.some(({ code }) => code === 'EXACTLY_ONE_REQUIRED')) return [wholeGroup(group, at)];
    return Object.entries(group.fields).flatMap(([name, field]) => {
      const value = valueOf(field, `${at} ${name}`);
      return value === undefined ? [] : [{ [name]: value }];
    });
  }

  function wholeGroup(group: Group, at: string): WrittenObject {
    const choices = Object.entries(group.fields).flatMap(([name, field]): [string, Written][] => {
      const value =
        field.is === 'group' ? groups(field, `${at} ${name}`)[++count % 3] : valueOf(field, `${at} ${name}`);
      return field.lifecycle === 'computed' || value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(choices);
  }

  function valueOf(field: Field, at: string): Written | undefined {
    count += 1;
    if (field.is === 'leaf') return leafOf(field, at);
    if (field.is === 'group') return groups(field, at)[0];
    return field.is === 'list' ? listOf(field, at) : dictOf(field, at);
  }

  function listOf(list: List, at: string): Written {
    const items = [1, 2].flatMap((index) => {
      const value = valueOf(list.of, `${at} ${String(index)}`);
      return value === undefined ? [] : [value];
    });
    return items.filter((item, index) => items.findIndex((other) => isDeepSame(item, other)) === index);
  }

  function dictOf(dict: Dict, at: string): Written {
    return Object.fromEntries(
      [1, 2].map((index) => [textOf(dict.key, `${at}${String(index)}`), textOf(dict.of, `${at}${String(index)}`)]),
    );
  }

  function leafOf(leaf: Leaf, at: string): Written | undefined {
    if (leaf.secret === true) {
      const name = `SECRET_${String(Object.keys(texts.env).length)}`;
      const secret = texts.canaries.plant(at);
      if (count % 3 === 0 && texts.isDiscreet !== true) return secret;
      texts.env[name] = secret;
      return { from_env: name };
    }
    if (leaf.compare === 'instant') return undefined;
    if (leaf.ref !== undefined && kinds.named(leaf.ref.to) !== undefined) return { ref: 'n0-0' };
    if (leaf.schema instanceof z.ZodEnum || !leaf.schema.safeParse('text').success)
      return fc.sample(anyValue(leaf, kinds), { numRuns: 1, seed: count + (texts.seed ?? 0) })[0];
    return textOf(leaf, at);
  }

  function textOf(leaf: Leaf, at: string): string {
    const n = String(count);
    const fits = (text: string): boolean =>
      text !== '' &&
      (leaf.ref === undefined || isId(text)) &&
      leaf.schema.safeParse(text).success &&
      leaf.checks.every(({ test }) => test(text) === undefined);
    const found = texts.text((text) => formsOf(leaf.format, text, n), fits);
    if (found !== undefined) return found;
    const usual = [...usualOf(leaf.format, n), `text ${n}`, `id-${n}`].find(fits);
    if (usual === undefined) throw new Error(`nothing may stand at ${at}`);
    return usual;
  }
}

/** A drawn text in the forms that a field of a format may take it in, nearest to the text first. */
function formsOf(format: FieldFormat | undefined, text: string, n: string): readonly string[] {
  const printable = text.replace(/[^\t\x20-\x7e]/g, '');
  switch (format) {
    case 'match':
      return [`/${n}${text}`, `/${n}${text.replace(/\s/g, '')}`];
    case 'saml':
      return [
        `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${attribute(text)}"><IDPSSODescriptor><SingleSignOnService Location="${attribute(text)}"/></IDPSSODescriptor></EntityDescriptor>`,
      ];
    case 'policy':
      return [JSON.stringify({ on_http_request: [{ name: text, [text]: n }] })];
    case 'json':
      return [JSON.stringify({ [text]: text, n })];
    case 'ssh-public-key':
      return byFormat['ssh-public-key'].map((key) => `${key.split(' ').slice(0, 2).join(' ')} ${text}`);
    case 'regex':
      return [text, text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)];
    case 'hostport':
    case 'hostname':
    case 'pem':
      return [];
    default:
      return [text, printable, text.toLowerCase(), text.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]/g, '') + n];
  }
}

function usualOf(format: FieldFormat | undefined, n: string): readonly string[] {
  if (format === 'hostport') return [`h${n}.example.com:443`];
  if (format === 'hostname') return [`h${n}.example.com`];
  return format === undefined ? [] : byFormat[format];
}

/** Text inside an attribute of XML; what XML cannot hold is left out. */
function attribute(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<"\t\n\r]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

function isDeepSame(a: Written, b: Written): boolean {
  return JSON.stringify(a).toLowerCase() === JSON.stringify(b).toLowerCase();
}

function withoutField(fields: Fields, name: string | undefined): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}
