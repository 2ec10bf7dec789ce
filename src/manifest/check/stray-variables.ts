import { valueAt } from '../../derive/value-at.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import type { KindSet } from '../../kinds/kind.ts';
import { someInside } from '../../kinds/leaves.ts';
import type { Path } from '../../kinds/value.ts';
import { isWrittenObject, type Written, type Origin } from '../read/written.ts';
import { templateIn, variableIn } from '../variables/template.ts';
import { externalKind } from './external.ts';
import { moduleSetsField } from './module-set.ts';
import type { Problems } from './problems.ts';

/** Reports variables in fields that identify the resource of a manifest or control how sluice manages it. Returns whether there are any. */
export function reportStrayVariables(value: Written, origin: Origin, kinds: KindSet, problems: Problems): boolean {
  // Nearly every manifest has none at all.
  if (!someInside(value, isVariable)) return false;
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
  const lists = kinds
    .within(typeof kind === 'string' ? kind : '')
    .map(({ within }): Path => ['spec', within.embeddedAs]);
  const entries = lists.flatMap((list) => (Array.isArray(valueAt(value, list)) ? below(value, list) : []));
  return [
    ['apiVersion'],
    ['kind'],
    ['spec'],
    ...(kind === externalKind ? [['spec', 'type']] : []),
    ...below(value, ['lifecycle']),
    ...namesAndSets(value, ['metadata'], ['spec']),
    ...lists,
    ...entries,
    ...entries.flatMap((entry) => [...below(value, [...entry, 'lifecycle']), ...namesAndSets(value, entry, entry)]),
  ];
}

function namesAndSets(value: Written, metadata: Path, spec: Path): Path[] {
  const sets = [...spec, moduleSetsField];
  return [[...metadata, 'name'], ...below(value, [...metadata, 'labels']), sets, ...below(value, sets)];
}

/** The paths of what a mapping or a list contains. */
function below(value: Written, path: Path): Path[] {
  const inside = valueAt(value, path);
  if (Array.isArray(inside)) return inside.map((_, index) => [...path, index]);
  return isWrittenObject(inside) ? Object.keys(inside).map((key) => [...path, key]) : [];
}

function isVariable(written: unknown): boolean {
  return variableIn(written as Written) !== undefined || templateIn(written as Written) !== undefined;
}
