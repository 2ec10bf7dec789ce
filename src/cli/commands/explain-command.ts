import { explain } from '../../derive/explain/explain-kind.ts';
import { fieldsOfSchema, schemaAt } from '../../derive/explain/explain-schema.ts';
import { kindWords, plainWord } from '../../derive/explain/kind-words.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { codes } from '../../diagnostics/codes.ts';
import { failures } from '../../diagnostics/failure-codes.ts';
import { withRemedies, type CodeMeaning } from '../../diagnostics/remedies.ts';
import { blockedMeanings } from '../../model/plan/blocked-meanings.ts';
import { hazardMeanings } from '../../model/plan/hazard-meanings.ts';
import { wrap } from '../../render/text/wrap.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { explainText } from '../../render/resources/explain-text.ts';
import { table } from '../../render/text/table.ts';
import { UsageError, suggestAddress } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';
import { hintFor } from '../usage/kind-named.ts';
import { topics, type Topic } from './explain-topics.ts';

// Every code, with what it means and what to do about it.
const meanings = new Map<string, CodeMeaning>([
  ...withRemedies(failures),
  ...Object.entries(blockedMeanings),
  ...Object.entries(hazardMeanings),
  ...withRemedies(codes),
]);

/** Documents a kind, one of its fields, another topic or a code; without a word, lists what there is. */
export function explainKind(context: Context, asked: string | undefined): number {
  if (asked === undefined) return listAll(context);
  // A code, or a word in the form of one, such as OPENS_ACCESS.
  if (meanings.has(asked) || /^[A-Z]+(_[A-Z]+)+$/.test(asked)) return explainCode(context, asked);
  // Of an address, the kind counts.
  const what = asked.replace(/^([\w-]+)\/[^.]*/, '$1');
  const topic = topics.find(({ name }) => isAtOrBelow(what, name));
  if (topic !== undefined) return explainTopic(context, topic, what.split('.').slice(topic.name.split('.').length));
  const [word = '', ...path] = what.split('.');
  const kind = kindToExplain(word);
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
  return context.done(explainText(title, explained, context.layout), { name: title, doc, field, fields });
}

function listAll(context: Context): number {
  const all = [...kinds.all, ...topics].map(({ name, doc }) => ({ name, doc }));
  return context.done(
    `${table(
      ['NAME', 'DESCRIPTION'],
      all.map(({ name, doc }) => [name, doc]),
      context.palette,
    )}\nRun \`sluice explain NAME\` for the fields, \`sluice explain NAME.FIELD\` for one of them, and \`sluice explain CODE\`\nfor the code of a hazard, an error or a warning.\n`,
    { kinds: all },
  );
}

/** The kind of a word; the name of a field leads to the kinds that have it. */
function kindToExplain(word: string): Kind {
  const found = kindWords(kinds).get(plainWord(word));
  if (found !== undefined) return found;
  const fields = kinds.all.filter((kind) => Object.hasOwn(kind.fields, word)).map(({ name }) => `${name}.${word}`);
  throw new UsageError(
    `unknown kind or code ${quoted(word, 80)}`,
    fields.length > 0
      ? `did you mean ${fields.join(' or ')}?`
      : hintFor(
          word,
          [...kinds.all, ...topics].map(({ name }) => name),
        ),
  );
}

function explainTopic(context: Context, topic: Topic, asked: readonly string[]): number {
  const whole = topic.schema();
  // As in a manifest, with or without `spec`.
  const path = asked[0] === 'spec' && schemaAt(whole, ['spec']) === undefined ? asked.slice(1) : asked;
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
  return context.done(explainText(name, { path, doc, fields }, context.layout), { name, doc, fields });
}

function isAtOrBelow(what: string, name: string): boolean {
  // The name of the stack file has a dot itself.
  const head = name.includes('.') ? what.slice(0, name.length) : what.split('.')[0];
  return plainWord(head ?? '') === plainWord(name);
}

function unknownField(parent: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(
    `${parent}: unknown field ${quoted(name, 80)}`,
    suggestAddress(name, known) ?? (known.length > 0 ? `use one of: ${known.join(', ')}` : undefined),
  );
}

function explainCode(context: Context, code: string): number {
  const found = meanings.get(code);
  if (found === undefined)
    throw new UsageError(
      `unknown code "${code}"`,
      suggestAddress(code, [...meanings.keys()]) ?? 'run `sluice explain` to list what can be explained',
    );
  const { meaning, remedy } = found;
  const doc = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  const { palette, width = 100 } = context.layout;
  return context.done(
    `${palette.strong(code)}\n${wrap(`  ${doc}`, width, 2)}\n\nWhat to do:\n${wrap(`  ${remedy}`, width, 2)}\n`,
    { name: code, doc, remedy },
  );
}
