import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import { externalTypes } from '../../kinds/index.ts';
import type { Path } from '../../kinds/value.ts';
import { present } from '../../model/present.ts';
import type { ManifestProblem } from './problems.ts';
import type { WrittenObject } from '../read/written.ts';

/** The manifest word for an id that this API does not manage. */
export const externalKind = 'External';

/** A name for an id of a family that this API does not manage. */
export interface External {
  readonly type: string;
  readonly id: string;
}

/** Reads the spec of an `External`. */
export function readExternal(
  spec: WrittenObject,
  report: (path: Path, complaint: ManifestProblem) => void,
): External | undefined {
  const { type, id, ...rest } = spec;
  for (const key of Object.keys(rest)) report([key], unknownField(key, ['type', 'id'], `${externalKind}.spec`));
  const types: readonly string[] = externalTypes;
  const goodType = typeof type === 'string' && types.includes(type);
  if (!goodType)
    report(type === undefined ? [] : ['type'], {
      code: type === undefined ? 'MISSING_FIELD' : 'INVALID_VALUE',
      message: `\`${externalKind}.spec.type\` must be one of ${types.join(', ')}`,
      ...present({ hint: typeof type === 'string' ? didYouMean(type, types) : undefined }),
    });
  const goodId = typeof id === 'string' && id !== '';
  if (!goodId)
    report(id === undefined ? [] : ['id'], {
      code: id === undefined ? 'MISSING_FIELD' : 'INVALID_TYPE',
      message: `\`${externalKind}.spec.id\` must be a string: the id of the external resource`,
    });
  return goodType && goodId ? { type, id } : undefined;
}
