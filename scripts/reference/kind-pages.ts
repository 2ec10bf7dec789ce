import { explain, type FieldFacts } from '../../src/derive/explain/explain-kind.ts';
import { kindWords } from '../../src/derive/explain/kind-words.ts';
import { examplesOf } from '../../src/derive/schema/field-examples.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Group, Kind } from '../../src/kinds/kind.ts';
import type { SpecObject } from '../../src/kinds/value.ts';
import { apiVersion } from '../../src/manifest/check/manifest-shape.ts';
import type { WrittenObject } from '../../src/manifest/read/written.ts';
import { writtenText } from '../../src/manifest/write/write-text.ts';
import { kebab } from './kebab.ts';
import { fieldsTable, type PlacedField } from './fields-table.ts';
import { code, page } from './markdown.ts';

/** A page for each kind: what it is, an example, its fields, and a section with an example for each module. */
export function kindPages(): ReadonlyMap<string, string> {
  return new Map(kinds.all.map((kind) => [`${kebab(kind.name)}.md`, kindPage(kind)]));
}

function kindPage(kind: Kind): string {
  const { fields } = explain(kind, [], kinds);
  const modules = fields.filter(({ type }) => type === 'module');
  const plain = fields.filter(({ type }) => type !== 'module');
  return page(
    kind.name,
    kind.doc,
    facts(kind),
    `## Example\n\n${yaml(exampleOf(kind))}`,
    `## Fields\n\n${fieldsTable(plain.flatMap((field) => placed(kind, [], field)))}`,
    modules.length === 0 ? '' : '## Modules',
    ...modules.map((module) => moduleSection(kind, module)),
  );
}

function facts(kind: Kind): string {
  const words = [...kindWords(kinds)].filter(([, one]) => one === kind).map(([word]) => word);
  const singular = words.filter((word) => !words.some((other) => word === `${other}s` || word === `${other}es`));
  const inside = kinds
    .within(kind.name)
    .map(({ within, name }) => `Its ${code(within.embeddedAs)} are [${name}](${kebab(name)}.md).`);
  const lines = [
    `On the command line: ${singular.map(code).join(', ')}, also in the plural.`,
    `Ids begin with ${code(`${kind.idPrefix}_`)}. Address: ${code(addressForm(kind))}.`,
    kind.protectedBecause === undefined
      ? ''
      : `Protected unless ${code('lifecycle.protect')} is false: ${kind.protectedBecause}.`,
    ...inside,
    `Beside \`spec\`: [\`metadata\` and \`lifecycle\`](manifest.md).`,
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

function addressForm({ name, within }: Kind): string {
  return within === undefined ? `${name}/NAME` : `${name}/PARENT:NAME, or ${name}/PARENT:${within.key.toUpperCase()}`;
}

function moduleSection(kind: Kind, module: FieldFacts): string {
  const field = kind.fields[module.name];
  const [example] = field === undefined ? [] : examplesOf(field, module.name);
  const inside = explain(kind, [module.name], kinds).fields.flatMap((one) => placed(kind, [module.name], one));
  const notes = fieldsNotes(module);
  return [
    `### \`${module.name}\`\n\n${module.doc}${notes}`,
    yaml({ [module.name]: (example ?? {}) as WrittenObject }),
    fieldsTable(inside.map(({ path, facts }) => ({ path: path.slice(1), facts }))),
  ].join('\n\n');
}

function fieldsNotes({ access_control, filter, immutable }: FieldFacts): string {
  return [
    access_control === undefined ? '' : ` Access control: ${access_control}.`,
    filter === undefined ? '' : ` A filter (${filter}), not counted as access control.`,
    immutable ? ' A change replaces the resource.' : '',
  ].join('');
}

/** A field with those inside it; modules and lists of other kinds have sections or pages of their own. */
function placed(kind: Kind, above: readonly string[], facts: FieldFacts): PlacedField[] {
  const path = [...above, facts.name];
  const isElsewhere = kinds.all.some(({ name }) => facts.type === `list of ${name}`);
  const inside = isElsewhere ? [] : explain(kind, path, kinds).fields.flatMap((one) => placed(kind, path, one));
  return [{ path, facts }, ...inside];
}

/** A whole manifest of a kind, with what must be written, and what a reader would look for. */
function exampleOf(kind: Kind): WrittenObject {
  const whole: Group = { is: 'group', fields: kind.fields, rules: kind.rules, doc: kind.doc } as unknown as Group;
  const [least = {}] = examplesOf(whole, kind.name) as SpecObject[];
  const shown = Object.entries(kind.fields).flatMap(([name, field]): [string, unknown][] => {
    const isWanted = kind.printerColumns.includes(name) && field.lifecycle !== 'computed';
    const [example] = isWanted ? examplesOf(field, name) : [];
    return example === undefined ? [] : [[name, example]];
  });
  const name = kind.within === undefined ? { name: 'example' } : {};
  return {
    apiVersion,
    kind: kind.name,
    metadata: name,
    spec: { ...Object.fromEntries(shown), ...least } as WrittenObject,
  };
}

function yaml(value: WrittenObject): string {
  return `\`\`\`yaml\n${writtenText(value)}\`\`\``;
}
