import type { Field, Fields, KindSet } from '../../src/kinds/kind.ts';
import { isMapping, type Item, type Written, type WrittenObject } from './item.ts';

/** The same stack with its texts written in other ways that mean the same; `way` chooses which. */
export function respelled(items: readonly Item[], way: number, kinds: KindSet): Item[] {
  return items.map((item) => ({ ...item, spec: inside(kinds.named(item.kind)?.fields ?? {}, item.spec, way) }));
}

function inside(fields: Fields, spec: WrittenObject, way: number): WrittenObject {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => {
      const field = fields[name];
      return [name, field === undefined ? value : respell(field, value, way)];
    }),
  );
}

function respell(field: Field, value: Written, way: number): Written {
  if (field.is === 'group') return isMapping(value) ? inside(field.fields, value, way) : value;
  if (field.is === 'list')
    return Array.isArray(value) ? (value as readonly Written[]).map((item) => respell(field.of, item, way)) : value;
  if (field.is === 'dict')
    return isMapping(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, item]) => [
            respell(field.key, key, way) as string,
            respell(field.of, item, way),
          ]),
        )
      : value;
  if (typeof value !== 'string' || value === '' || field.secret === true) return value;
  const ways = waysOf(field.format, field.doc)?.(value) ?? [value];
  return ways[way % ways.length] ?? value;
}

/** How each format can be written otherwise, as somebody knows it who does not know how sluice compares. */
function waysOf(format: string | undefined, doc: string): ((text: string) => readonly string[]) | undefined {
  const crlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n');
  switch (format) {
    case 'pem':
      return (text) => [text, text.trimEnd(), `subject=CN = anybody\n${text}`, crlf(text), `${text}\n\n`];
    case 'saml':
      return (text) => [
        text,
        `<?xml version="1.0"?>\n<!-- of the provider -->\n${text}\n`,
        text.replace(/(xmlns:md="[^"]*") (entityID="[^"]*")/, '$2\r\n  $1').replace('/>', '></md:EntityDescriptor>'),
      ];
    case 'json':
      return (text) => [
        text,
        `${text}\n`,
        JSON.stringify(JSON.parse(text), null, 2),
        crlf(JSON.stringify(JSON.parse(text), null, 2)),
      ];
    case 'policy':
      return (text) => [text, `${text.trimEnd()}\n\n`, text.trimEnd(), `# a comment\r\n${text}`];
    case 'hostport':
    case 'hostname':
      return (text) => [text, text.toUpperCase()];
    case 'match':
      return (text) => [text, text.replace(/^[^/]*/, (host) => host.toUpperCase())];
    case 'header-name':
      return (text) => [text, text.toUpperCase(), text.toLowerCase()];
    case 'header-value':
      return (text) => [text, ` ${text}\t`];
    case 'ssh-public-key':
      return (text) => [text, `${text} somebody@somewhere\n`];
    default:
      if (doc.startsWith('Human-readable')) return (text) => [text, `${text}\n`, `  ${text} `];
      return doc.includes('alidity') ? (text) => [text, text.replace(/:00(Z|\+)/, ':00.25$1')] : undefined;
  }
}
