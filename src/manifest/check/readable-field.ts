import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isText } from '../../kinds/is-identifying.ts';
import type { Field, Fields, Kind, Leaf } from '../../kinds/kind.ts';
import type { ManifestProblem } from './problems.ts';

/** The field of a kind whose value another resource may take, or why it may not: only single texts that are no secrets. */
export function readableField(kind: Kind, field: string): Leaf | ManifestProblem {
  const shown = safeText(field, 100);
  const found = fieldNamed(kind.fields, field.split('.'));
  if (found === undefined)
    return {
      code: 'UNKNOWN_FIELD',
      message: `${kind.name} has no field \`${shown}\``,
      hint:
        didYouMean(field, readable(kind.fields)) ??
        `fields that can be referenced: ${readable(kind.fields).join(', ')}`,
    };
  const why = unreadable(found);
  if (why === undefined && found.is === 'leaf') return found;
  return {
    code: 'REFERENCE_NOT_ALLOWED',
    message: `\`${kind.name}.${shown}\` cannot be referenced: ${why ?? ''}`,
    hint: `fields that can be referenced: ${readable(kind.fields).join(', ')}`,
  };
}

function fieldNamed(fields: Fields, [name = '', ...rest]: readonly string[]): Field | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || rest.length === 0) return field;
  return field.is === 'group' ? fieldNamed(field.fields, rest) : undefined;
}

function unreadable(field: Field): string | undefined {
  if (field.is === 'list') return 'the field is a list';
  if (field.is !== 'leaf') return 'the field is a mapping';
  if (field.secret === true) return 'the field is a secret';
  if (field.ref !== undefined) return 'the field is the id of another resource';
  return isText(field) ? undefined : 'the field is not a string';
}

function readable(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (unreadable(field) === undefined ? [name] : []));
}
