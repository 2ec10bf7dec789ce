import type { SourceDocument } from './source-document.ts';
import type { Origin } from './origin.ts';
import type { Problems } from '../check/problems.ts';
import { isWrittenObject, type Written } from './written.ts';

/** The manifests in a document: itself, or the entries of a `List`. */
export function* listItems(
  value: Written,
  document: SourceDocument,
  problems: Problems,
): Generator<{ readonly value: Written; readonly origin: Origin }> {
  const origin: Origin = { document, base: [], edits: [] };
  if (!isWrittenObject(value) || value['kind'] !== 'List') {
    yield { value, origin };
    return;
  }
  for (const key of Object.keys(value))
    if (!['apiVersion', 'kind', 'metadata', 'items'].includes(key))
      problems.at(origin, [key], {
        code: 'UNKNOWN_FIELD',
        message: 'no such field in a List',
        hint: 'known field: items',
      });
  const items = value['items'] ?? [];
  if (Array.isArray(items))
    for (const [index, item] of (items as readonly Written[]).entries())
      yield { value: item, origin: { document, base: ['items', index], edits: [] } };
  else problems.at(origin, ['items'], { code: 'INVALID_TYPE', message: '`items` must be a list of manifests' });
}
