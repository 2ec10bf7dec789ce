import { fieldsOfSchema, schemaAt } from '../../src/derive/explain/explain-schema.ts';
import type { JsonSchema } from '../../src/derive/schema/field-schema.ts';
import { topics, type Topic } from '../../src/cli/commands/explain-topics.ts';
import { fieldsTable, type PlacedField } from './fields-table.ts';
import { page } from './markdown.ts';

/** Pages about what is not a kind: the blocks of a manifest, and the settings. */
export function schemaPages(): ReadonlyMap<string, string> {
  const [settings] = topics.filter(({ name }) => name.includes('.'));
  const blocks = topics.filter((topic) => topic !== settings);
  return new Map([
    [
      'manifest.md',
      page(
        'Manifests',
        'Every manifest has `apiVersion: sluice/v1`, `kind`, `metadata` and `spec`, and may have `lifecycle`. The pages of the kinds list what `spec` takes. [Manifests](../manifests.md) explains how they work together.',
        ...blocks.map((topic) => `## ${topic.name}\n\n${topic.doc}\n\n${fieldsTable(fieldsIn(topic))}`),
      ),
    ],
    ...(settings === undefined
      ? []
      : [
          [
            'settings.md',
            page(
              `Settings (${settings.name})`,
              'Relative paths begin at the directory of the file. [Environment variables](environment.md) override some settings.',
              fieldsTable(fieldsIn(settings)),
            ),
          ] as const,
        ]),
  ]);
}

/** The fields of a topic; a module set has those of its modules on the page of the routes. */
function fieldsIn({ name, schema }: Topic): PlacedField[] {
  return inside(schema(), [], name === 'ModuleSet' ? 1 : 5);
}

function inside(schema: JsonSchema, above: readonly string[], depth: number): PlacedField[] {
  if (depth === 0) return [];
  return fieldsOfSchema(schema).flatMap((facts) => {
    const next = schemaAt(schema, [facts.name]);
    const path = [...above, facts.name];
    return [{ path, facts }, ...(next === undefined ? [] : inside(next, path, depth - 1))];
  });
}
