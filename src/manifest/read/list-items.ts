import { emptyList } from '../../model/empty.ts';
import type { SourceDocument } from './source-document.ts';
import { checkVersion, onlyKnown } from '../check/manifest-shape.ts';
import type { Problems } from '../check/problems.ts';
import { inside, isWrittenObject, type Written, type Origin } from './written.ts';

const fieldsOfList = ['apiVersion', 'kind', 'metadata', 'items'];

/** The manifests in a document: itself, or the entries of a `List`, which must be there: nothing in their place would mean that all resources were removed. */
export function listItems(
  value: Written,
  document: SourceDocument,
  problems: Problems,
): readonly { readonly value: Written; readonly origin: Origin }[] {
  const origin: Origin = { document, base: emptyList, edits: emptyList };
  if (!isWrittenObject(value) || value['kind'] !== 'List') return [{ value, origin }];
  onlyKnown(value, fieldsOfList, 'List', origin, problems);
  checkVersion(value, origin, problems);
  const { items } = value;
  if (Array.isArray(items))
    return (items as readonly Written[]).map((item, index) => ({
      value: item,
      origin: inside(origin, 'items', index),
    }));
  problems.at(origin, ['items'], { code: 'INVALID_TYPE', message: '`items` must be a list of manifests' });
  return [];
}
