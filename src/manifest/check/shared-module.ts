import { dirname, resolve } from 'node:path';
import { checkSpec, type Finding } from '../../derive/check/check-spec.ts';
import { lintSpec } from '../../derive/check/lint-spec.ts';
import { unusableIds } from '../../derive/check/unusable-ids.ts';
import { sortedJson } from '../../derive/sorted-json.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Group, Kind, KindSet } from '../../kinds/kind.ts';
import { isEnabled } from '../../kinds/checks.ts';
import { someInside } from '../../kinds/leaves.ts';
import type { Path, SpecObject, SpecValue } from '../../kinds/value.ts';
import type { ResourceDraft } from '../expand/resource-draft.ts';
import { present } from '../../model/present.ts';
import type { PrintedValue } from '../../model/resource.ts';
import { limits, weightOf } from '../read/limits.ts';
import { nearName } from '../read/near-name.ts';
import type { Manifest } from './manifest-shape.ts';
import { moduleFields, moduleSetKind, moduleSetsField, takesModuleSets } from './module-set.ts';
import { findingProblem, type Problems } from './problems.ts';
import { holeTest, resolveSpec, type ResolveContext } from '../expand/resolve-spec.ts';
import { isWrittenObject, type Written, type WrittenObject, inside, type Origin } from '../read/written.ts';

/** A module that comes from a module set: resolved and checked once, whoever pulls it in. */
export interface SharedModule {
  readonly name: string;
  readonly field: Group;
  readonly set: string;
  readonly origin: Origin;
  readonly value: SpecValue;
  /** The same text for the same content. */
  readonly content: string;
  /** How much it adds to each resource, by `weightOf`. */
  readonly weight: number;
  readonly holes: readonly Path[];
  readonly printed: readonly PrintedValue[];
  /** What was already reported of it, by `findingKey`. */
  readonly reported: ReadonlySet<string>;
}

/** A finding as text, to know it again in a resource that pulled the module in. */
export function findingKey({ code, path, field = path }: Finding): string {
  return JSON.stringify([code, field]);
}

/** Reads the modules of a module set, and checks them there, where they were written. */
export function readModuleSet(manifest: Manifest, kinds: KindSet, context: ResolveContext): SharedModule[] {
  const { problems, profile } = context;
  const origin = inside(manifest.origin, 'spec');
  const root = `${moduleSetKind}.spec`;
  // Without it, routes would take nothing from the set, and be open.
  if ((manifest.written['spec'] ?? null) === null)
    problems.at(manifest.origin, [], { code: 'MISSING_FIELD', message: `\`${root}\` is required` });
  const known = moduleFields(kinds) as Readonly<Record<string, Group>>;
  return Object.entries(manifest.spec).flatMap(([name, written]) => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) {
      const hint = didYouMean(name, Object.keys(known)) ?? `known modules: ${Object.keys(known).join(', ')}`;
      problems.at(origin, [name], {
        code: 'UNKNOWN_MODULE',
        message: `unknown module \`${safeText(name, 100)}\` in ${root}`,
        hint,
      });
      return [];
    }
    if (written === null) return [];
    const fields = { [name]: field };
    const { spec, holes, printed } = resolveSpec(fields, { [name]: written }, origin, root, context);
    const all = [
      ...checkSpec({ fields, rules: [] }, spec, { root }),
      ...unusableIds({ fields }, spec, kinds.families, root),
      ...lintSpec({ fields }, spec, root),
    ];
    const isHole = holeTest(holes);
    const findings = all.filter(({ path }) => !isHole(path));
    for (const finding of findings) problems.at(origin, finding.path, findingProblem(finding, profile));
    const value = spec[name] ?? {};
    const content = isWrittenObject(written) ? contentOf(written, manifest.origin) : '';
    const reported = new Set(findings.map(findingKey));
    const weight = weightOf(written, limits.expanded);
    return [{ name, field, set: manifest.name ?? '', origin, value, content, weight, holes, printed, reported }];
  });
}

/** Two modules with the same text are different where its paths name different files. */
function contentOf(written: WrittenObject, { document: { file } }: Origin): string {
  const files = new Map<string, string>();
  someInside(written, (inner) => {
    const { from_file: path } = inner as WrittenObject;
    if (typeof path === 'string') files.set(path, resolve(dirname(file.path ?? ''), path));
    return false;
  });
  return sortedJson([written, Object.fromEntries(files)]);
}

/** Returns the modules that a resource takes. `own` is its spec with values in place. */
export type TakeModules = (draft: ResourceDraft, own: SpecObject) => readonly SharedModule[];

/** Takes from module sets what resources neither set nor disable with null (decisions/0034), and nothing more once all resources together take too much: a few lines of YAML can ask for millions of values. `complete`: every manifest could be read. */
export function moduleTaker(
  sets: ReadonlyMap<string, readonly SharedModule[]>,
  brokenSets: ReadonlySet<string>,
  complete: boolean,
  problems: Problems,
): TakeModules {
  let left = limits.expanded;
  return (draft, own) => {
    const taken = takesModuleSets(draft.kind) ? takenModules(draft, own) : [];
    if (left < 0) {
      // That it is too much was reported where it happened.
      if (taken.length > 0) problems.doubt();
      return [];
    }
    for (const { weight } of taken) left -= weight;
    if (left >= 0) return taken;
    problems.at(draft.specOrigin, [moduleSetsField], {
      code: 'TOO_LARGE',
      message: `module sets add more than ${String(limits.expanded)} values to the resources of this stack`,
      hint: 'use smaller module sets, or reference them in fewer resources',
    });
    return [];
  };

  function takenModules(draft: ResourceDraft, own: SpecObject): readonly SharedModule[] {
    const taken = new Map<string, SharedModule>();
    for (const { set, path } of setsNamed(draft))
      for (const module of set) {
        if (Object.hasOwn(draft.spec, module.name) || isReplaced(module, draft.kind, own)) continue;
        const other = taken.get(module.name);
        if (other === undefined) taken.set(module.name, module);
        else if (other.content !== module.content)
          problems.at(draft.specOrigin, path, {
            code: 'CONFLICTING_MODULE_SETS',
            message: `the module sets \`${other.set}\` and \`${module.set}\` define different content for \`${module.name}\``,
            hint: `set \`${module.name}\` in this resource to override both module sets`,
            related: [other, module].map(({ set, origin, name }) => ({
              message: `defined in the module set \`${set}\``,
              origin: inside(origin, name),
            })),
          });
      }
    return [...taken.values()];
  }

  function setsNamed({ kind, spec, specOrigin }: ResourceDraft) {
    const field = `${kind.name}.spec.${moduleSetsField}`;
    const names = spec[moduleSetsField] ?? [];
    if (!Array.isArray(names)) {
      const message = `\`${field}\` must be a list of names`;
      problems.at(specOrigin, [moduleSetsField], { code: 'INVALID_TYPE', message });
      return [];
    }
    return (names as readonly Written[]).flatMap((name, index) => {
      const path = [moduleSetsField, index];
      if (typeof name !== 'string') {
        const message = `\`${field}[${index}]\` must be the name of a module set`;
        problems.at(specOrigin, path, { code: 'INVALID_TYPE', message, hint: 'write the name alone, such as [sso]' });
        return [];
      }
      const set = sets.get(name);
      if (set === undefined ? !complete : brokenSets.has(name)) problems.doubt();
      if (set !== undefined) return [{ set, path }];
      if (complete)
        problems.at(specOrigin, path, () => ({
          code: 'UNKNOWN_MODULE_SET',
          message: `unknown module set \`${safeText(name, 100)}\``,
          ...present({ hint: nearName(name, sets.keys()) }),
        }));
      return [];
    });
  }
}

/** A set's authentication is replaced by another one that the resource sets and enables. */
function isReplaced({ field }: SharedModule, kind: Kind, own: SpecObject): boolean {
  if (field.accessControl !== 'authentication') return false;
  return Object.entries(kind.fields).some(
    ([name, other]) => other.is === 'group' && other.accessControl === field.accessControl && isEnabled(own[name]),
  );
}
