import { fieldPath } from '../../diagnostics/field-path.ts';
import type { KindSet } from '../../kinds/kind.ts';
import { someInside } from '../../kinds/some-inside.ts';
import type { Path } from '../../kinds/value.ts';
import { isWrittenObject, type Written, type Origin } from '../read/written.ts';
import { templateIn, variableIn } from '../variables/template.ts';
import { externalKind } from './external.ts';
import { moduleSetsField } from './module-set.ts';
import type { Problems } from './problems.ts';

/** Reports variables in fields that identify the resource of a manifest or control how sluice manages it. Returns whether there are any. */
export function reportStrayVariables(value: Written, origin: Origin, kinds: KindSet, problems: Problems): boolean {
  // Nearly every manifest has none at all.
  if (!someInside(value, (inner) => isVariable(inner as Written))) return false;
  const stray = structuralPaths(value, kinds).filter((path) => isVariable(valueAt(value, path)));
  for (const path of stray)
    problems.at(origin, path, {
      code: 'VARIABLE_NOT_ALLOWED',
      message: `\`${fieldPath('', path)}\` cannot be a variable or a template`,
      hint: 'write the literal value: only fields in `spec` accept variables; to change other fields, use a patch',
    });
  return stray.length > 0;
}

function structuralPaths(value: Written, kinds: KindSet): Path[] {
  const kind = valueAt(value, ['kind']);
  const spec = valueAt(value, ['spec']);
  const sets: Path = ['spec', moduleSetsField];
  const inner = kinds.within(typeof kind === 'string' ? kind : '').map(({ within }) => within.embeddedAs);
  return [
    ['apiVersion'],
    ['kind'],
    ['metadata', 'name'],
    ...below(value, ['metadata', 'labels']),
    ...below(value, ['lifecycle']),
    ['spec'],
    ...(kind === externalKind ? [['spec', 'type']] : []),
    sets,
    ...below(value, sets),
    ...inner.flatMap((field) => {
      const entries = isWrittenObject(spec) ? spec[field] : undefined;
      return [
        ['spec', field],
        ...(Array.isArray(entries) ? entries.flatMap((_, index) => entryPaths(value, ['spec', field, index])) : []),
      ];
    }),
  ];
}

function entryPaths(value: Written, entry: Path): Path[] {
  const sets = [...entry, moduleSetsField];
  return [
    entry,
    [...entry, 'name'],
    ...below(value, [...entry, 'labels']),
    ...below(value, [...entry, 'lifecycle']),
    sets,
    ...below(value, sets),
  ];
}

/** The paths of what a mapping or a list contains. */
function below(value: Written, path: Path): Path[] {
  const inside = valueAt(value, path);
  if (Array.isArray(inside)) return inside.map((_, index) => [...path, index]);
  return isWrittenObject(inside) ? Object.keys(inside).map((key) => [...path, key]) : [];
}

function valueAt(value: Written, path: Path): Written {
  return path.reduce<Written>((inner, step) => {
    if (Array.isArray(inner)) return (inner as readonly Written[])[Number(step)] ?? null;
    return isWrittenObject(inner) && Object.hasOwn(inner, step) ? (inner[step] ?? null) : null;
  }, value);
}

function isVariable(written: Written): boolean {
  return variableIn(written) !== undefined || templateIn(written) !== undefined;
}
