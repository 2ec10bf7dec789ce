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
  return idsIn(kind, spec).flatMap(({ path, to, id }): Finding[] => {
    // An empty id is reported for the field.
    if (id === '') return [];
    const field = `\`${fieldPath(root, path)}\``;
    if (!isId(id))
      return [
        {
          code: 'INVALID_FORMAT',
          since: 'completed',
          path,
          message: `${field} must be an id (${idForm})`,
          ...(referenceInText.test(id) ? { hint: 'remove the quotes around the reference' } : {}),
        },
      ];
    const owner = ownerOfId(id, families);
    if (owner === undefined || owner.name === to) return [];
    const wanted = families.some(({ name }) => name === to) ? to : to.replaceAll('_', ' ');
    return [
      {
        code: 'ID_OF_OTHER_KIND',
        since: 'completed',
        path,
        message: `${field} requires the id of a resource of type ${wanted}, but ${id} is the id of a resource of type ${owner.name}`,
      },
    ];
  });
}

function ownerOfId(id: string, families: readonly Named[]): Named | undefined {
  return families.find(({ idPrefix }) => id.startsWith(`${idPrefix}_`));
}
