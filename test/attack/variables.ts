import { isMapping, type Written, type WrittenObject } from '../generators/item.ts';
import type { Dice } from './dice.ts';

/** Manifests of which some values come by variables, and the variables as `sluice.yaml` declares them. */
export function withVariables(
  documents: readonly WrittenObject[],
  dice: Dice,
): { readonly documents: readonly WrittenObject[]; readonly vars: WrittenObject } {
  const vars: Record<string, Written> = {};
  const changed = documents.map((document) => {
    const spec = document['spec'];
    return isMapping(spec) ? { ...document, spec: inSpec(spec) } : document;
  });
  return { documents: changed, vars };

  function inSpec(value: Written): Written {
    if (Array.isArray(value)) return value.map((item: Written) => inSpec(item));
    if (!isMapping(value)) return value;
    const source = sourceFromStack(value);
    if (source !== undefined && dice.odds(0.4)) {
      const name = `value_${String(Object.keys(vars).length)}`;
      vars[name] = source;
      return { var: name };
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inSpec(item)]));
  }
}

/** The same source, as `sluice.yaml` names it. */
function sourceFromStack(value: WrittenObject): WrittenObject | undefined {
  const { from_env: variable, from_file: path } = value;
  if (Object.keys(value).length !== 1) return undefined;
  if (typeof variable === 'string') return { from_env: variable };
  return typeof path === 'string' ? { from_file: path.replace(/^\.\.\//, '') } : undefined;
}
