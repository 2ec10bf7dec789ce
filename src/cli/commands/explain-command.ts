import { explain } from '../../derive/explain-kind.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { kinds } from '../../kinds/index.ts';
import { explainText } from '../../render/resources/explain-text.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { kindNamed } from '../kind-named.ts';
import { suggestAddress } from '../../stack/address-suggestion.ts';
import { UsageError } from '../../stack/usage-error.ts';

/** Documents a kind, or one of its fields. */
export function explainKind(context: Context, what: string): number {
  const [word = '', ...path] = what.split('.');
  const kind = kindNamed(word, kinds);
  const explained = explain(kind, path, kinds);
  const title = [kind.name, ...path].join('.');
  if (explained.unknown !== undefined) {
    const { name, known } = explained.unknown;
    const parent = [kind.name, ...explained.path].join('.');
    throw new UsageError(
      `${parent}: unknown field ${JSON.stringify(safeText(name, 80))}`,
      suggestAddress(name, known) ?? (known.length > 0 ? `use one of: ${known.join(', ')}` : undefined),
    );
  }
  const { doc, field, fields } = explained;
  context.result(
    () => explainText(title, explained, context.layout),
    () => ({ format_version: '1.0', name: title, doc, ...(field === undefined ? {} : { field }), fields }),
  );
  return exitCodes.done;
}
