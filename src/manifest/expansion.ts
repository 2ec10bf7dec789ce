import type { ResourceDraft } from './expand/resource-draft.ts';
import { limits } from './read/limits.ts';
import { moduleSetsField } from './check/module-set.ts';
import type { Problems } from './check/problems.ts';
import type { SharedModule } from './check/shared-module.ts';

/** Returns the modules that a resource takes, or none once all resources together take too much. */
export type Expand = (draft: ResourceDraft, taken: readonly SharedModule[]) => readonly SharedModule[];

/** Counts what module sets add to the resources of one run: a few lines of YAML can ask for millions of values. */
export function boundedExpansion(problems: Problems): Expand {
  let left = limits.expanded;
  return ({ specOrigin }, taken) => {
    if (left < 0) {
      // That it is too much was reported where it happened.
      if (taken.length > 0) problems.doubt();
      return [];
    }
    for (const { weight } of taken) left -= weight;
    if (left >= 0) return taken;
    problems.at(specOrigin, [moduleSetsField], {
      code: 'TOO_LARGE',
      message: `module sets add more than ${String(limits.expanded)} values to the resources of this stack`,
      hint: 'use smaller module sets, or reference them in fewer resources',
    });
    return [];
  };
}
