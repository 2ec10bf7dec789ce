import type { FieldFacts } from '../../src/derive/explain/explain-kind.ts';
import { code, table } from './markdown.ts';

/** A field and its path below what the table is about. */
export interface PlacedField {
  readonly path: readonly string[];
  readonly facts: FieldFacts;
}

/** The fields of a kind, of a module or of settings, as a table. */
export function fieldsTable(fields: readonly PlacedField[]): string {
  return table(
    ['Field', 'Type', 'Default', 'Meaning'],
    fields.map(({ path, facts }) => [code(path.join('.')), facts.type, defaultText(facts), meaning(facts)]),
  );
}

function defaultText({ required, computed, default: preset }: FieldFacts): string {
  if (required) return '**required**';
  if (computed) return 'set by the service';
  return preset === undefined ? '' : code(String(preset));
}

function meaning({ doc, limits, immutable, secret, ignores, access_control, filter, since }: FieldFacts): string {
  const facts = [
    doc,
    access_control === undefined ? '' : `Access control: ${access_control}.`,
    filter === undefined ? '' : `Filter: ${filter}; not counted as access control.`,
    limits.length === 0 ? '' : `Limits: ${limits.join(', ')}.`,
    secret ? 'Secret.' : '',
    immutable ? 'A change replaces the resource.' : '',
    ignores === undefined ? '' : `Not compared: ${ignores}.`,
    since === 'completed' ? 'Not described by the API; profile `completed` only.' : '',
  ];
  return facts.filter((fact) => fact !== '').join(' ');
}
