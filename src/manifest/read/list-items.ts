import { emptyList } from '../../model/empty.ts';
import type { SourceDocument } from './source-document.ts';
import { checkVersion, onlyKnown } from '../check/manifest-shape.ts';
import type { Problems } from '../check/problems.ts';
import { isWrittenObject, type Written, type Origin } from './written.ts';

const fieldsOfList = ['apiVersion', 'kind', 'metadata', 'items'];

/** The manifests in a document: itself, or the entries of a `List`, which must be there: nothing in their place would mean that all resources were removed. */
export function* listItems(
  value: Written,
  document: SourceDocument,
  problems: Problems,
): Generator<{ readonly value: Written; readonly origin: Origin }> {
  const origin: Origin = { document, base: emptyList, edits: emptyList };
  if (!isWrittenObject(value) || value['kind'] !== 'List') {
    yield { value, origin };
    return;
  }
  onlyKnown(value, fieldsOfList, 'List', origin, problems);
  checkVersion(value, origin, problems);
  const { items } = value;
  if (Array.isArray(items))
    for (const [index, item] of (items as readonly Written[]).entries())
      yield { value: item, origin: { document, base: ['items', index], edits: emptyList } };
  else problems.at(origin, ['items'], { code: 'INVALID_TYPE', message: '`items` must be a list of manifests' });
}
