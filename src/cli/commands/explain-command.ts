import { explain } from '../../derive/explain/explain-kind.ts';
import { fieldsOfSchema, schemaAt } from '../../derive/explain/explain-schema.ts';
import { plainWord } from '../../derive/explain/kind-words.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { kinds } from '../../kinds/index.ts';
import { explainText } from '../../render/resources/explain-text.ts';
import { table } from '../../render/text/table.ts';
import { suggestAddress } from '../../stack/address-suggestion.ts';
import { UsageError } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { kindNamed } from '../kind-named.ts';
import { topics, type Topic } from './explain-topics.ts';

/** Documents a kind, one of its fields, or another topic; without a word, lists them. */
export function explainKind(context: Context, asked: string | undefined): number {
  if (asked === undefined) return listAll(context);
  // Of an address, the kind counts.
  const what = asked.replace(/^([\w-]+)\/[^.]*/, '$1');
  const topic = topics.find(({ name }) => isAtOrBelow(what, name));
  if (topic !== undefined) return explainTopic(context, topic, what.split('.').slice(topic.name.split('.').length));
  const [word = '', ...path] = what.split('.');
  const kind = kindNamed(word, kinds);
  const block = topics.find(({ name }) => name === 'lifecycle' && name === path[0]);
  if (block !== undefined) return explainTopic(context, block, path.slice(1));
  // As in a manifest, with or without `spec`.
  const own = path[0] === 'spec' ? path.slice(1) : path;
  const explained = explain(kind, own, kinds);
  const title = [kind.name, ...own].join('.');
  if (explained.unknown !== undefined) {
    const { name, known } = explained.unknown;
    throw unknownField([kind.name, ...explained.path].join('.'), name, known);
  }
  const { doc, field, fields } = explained;
  context.result(
    () => explainText(title, explained, context.layout),
    () => ({ format_version: '1.0', name: title, doc, ...(field === undefined ? {} : { field }), fields }),
  );
  return exitCodes.done;
}

function listAll(context: Context): number {
  const all = [...kinds.all, ...topics].map(({ name, doc }) => ({ name, doc }));
  context.result(
    () =>
      `${table(
        ['NAME', 'DESCRIPTION'],
        all.map(({ name, doc }) => [name, doc]),
        context.palette,
      )}\nRun \`sluice explain NAME\` for the fields, and \`sluice explain NAME.FIELD\` for one of them.\n`,
    () => ({ format_version: '1.0', kinds: all }),
  );
  return exitCodes.done;
}

function explainTopic(context: Context, topic: Topic, path: readonly string[]): number {
  const whole = topic.schema();
  const depth = path.findIndex((_, index) => schemaAt(whole, path.slice(0, index + 1)) === undefined);
  const schema = depth === -1 ? schemaAt(whole, path) : undefined;
  if (schema === undefined) {
    const parent = path.slice(0, depth);
    const known = fieldsOfSchema(schemaAt(whole, parent) ?? {}).map(({ name }) => name);
    throw unknownField([topic.name, ...parent].join('.'), path[depth] ?? '', known);
  }
  const name = [topic.name, ...path].join('.');
  const doc = path.length === 0 ? topic.doc : ((schema['description'] as string | undefined) ?? '');
  const fields = fieldsOfSchema(schema);
  context.result(
    () => explainText(name, { path, doc, fields }, context.layout),
    () => ({ format_version: '1.0', name, doc, fields }),
  );
  return exitCodes.done;
}

function isAtOrBelow(what: string, name: string): boolean {
  // The name of the stack file has a dot itself.
  const head = name.includes('.') ? what.slice(0, name.length) : what.split('.')[0];
  return plainWord(head ?? '') === plainWord(name);
}

function unknownField(parent: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `${parent}: unknown field ${JSON.stringify(safeText(name, 80))}`,
    suggestAddress(name, known) ?? (known.length > 0 ? `use one of: ${known.join(', ')}` : undefined),
  );
}
