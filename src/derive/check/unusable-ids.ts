import { fieldPath } from '../../diagnostics/field-path.ts';
import type { Kind, View } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { idForm, isId } from '../../model/id.ts';
import { referenceInText } from './lint-spec.ts';
import type { Finding } from './check-spec.ts';
import { idsIn } from '../references.ts';

type Named = Pick<View, 'name' | 'idPrefix'>;

/** The ids in a spec that cannot be ids, or that belong to another family than their field refers to, as their prefixes show. */
export function unusableIds(
  kind: Pick<Kind, 'fields'>,
  spec: SpecObject,
  families: readonly Named[],
  root = '',
): Finding[] {
  const found: Finding[] = [];
  for (const { path, to, id } of idsIn(kind, spec)) {
    // An empty id is reported for the field.
    if (id === '') continue;
    const field = (): string => `\`${fieldPath(root, path)}\``;
    if (!isId(id)) {
      const hint = referenceInText.test(id) ? { hint: 'remove the quotes around the reference' } : {};
      found.push({
        code: 'INVALID_FORMAT',
        since: 'completed',
        path,
        message: `${field()} must be an id (${idForm})`,
        ...hint,
      });
      continue;
    }
    const owner = ownerOfId(id, families);
    if (owner === undefined || owner.name === to) continue;
    const wanted = families.some(({ name }) => name === to) ? to : to.replaceAll('_', ' ');
    found.push({
      code: 'ID_OF_OTHER_KIND',
      since: 'completed',
      path,
      message: `${field()} requires the id of a resource of type ${wanted}, but ${id} is the id of a resource of type ${owner.name}`,
    });
  }
  return found;
}

function ownerOfId(id: string, families: readonly Named[]): Named | undefined {
  return families.find(({ idPrefix }) => id[idPrefix.length] === '_' && id.startsWith(idPrefix));
}
