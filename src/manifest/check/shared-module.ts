import { dirname, resolve } from 'node:path';
import { checkSpec, type Finding } from '../../derive/check/check-spec.ts';
import { lintSpec } from '../../derive/check/lint-spec.ts';
import { unusableIds } from '../../derive/check/unusable-ids.ts';
import { sortedJson } from '../../derive/sorted-json.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Group, Kind, KindSet } from '../../kinds/kind.ts';
import { isEnabled } from '../../kinds/checks.ts';
import { someInside } from '../../kinds/some-inside.ts';
import type { Path, SpecObject, SpecValue } from '../../kinds/value.ts';
import type { ResourceDraft } from '../expand/resource-draft.ts';
import type { PrintedValue } from '../../model/resource.ts';
import { limits, weightOf } from '../read/limits.ts';
import { nearName } from '../read/near-name.ts';
import type { Manifest } from './manifest-shape.ts';
import { moduleFields, moduleSetKind, moduleSetsField, takesModuleSets } from './module-set.ts';
import type { Problems } from './problems.ts';
import { holeTest, type Resolved } from '../expand/resolve-spec.ts';
import { isWrittenObject, type WrittenObject, inside, type Origin } from '../read/written.ts';

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
export function readModuleSet(
  manifest: Manifest,
  kinds: KindSet,
  resolve: (fields: Readonly<Record<string, Group>>, spec: WrittenObject, origin: Origin) => Resolved,
  report: (origin: Origin, finding: Finding) => void,
  problems: Problems,
): SharedModule[] {
  const origin = inside(manifest.origin, 'spec');
  // Without it, routes would take nothing from the set, and be open.
  if ((manifest.written['spec'] ?? null) === null)
    problems.at(manifest.origin, [], { code: 'MISSING_FIELD', message: `\`${moduleSetKind}.spec\` is required` });
  const known = moduleFields(kinds) as Readonly<Record<string, Group>>;
  return Object.entries(manifest.spec).flatMap(([name, written]) => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) {
      const hint = didYouMean(name, Object.keys(known)) ?? `known modules: ${Object.keys(known).join(', ')}`;
      problems.at(origin, [name], {
        code: 'UNKNOWN_MODULE',
        message: `unknown module \`${safeText(name, 100)}\` in ${moduleSetKind}.spec`,
        hint,
      });
      return [];
    }
    if (written === null) return [];
    const fields = { [name]: field };
    const { spec, holes, printed } = resolve(fields, { [name]: written }, origin);
    const root = `${moduleSetKind}.spec`;
    const all = [
      ...checkSpec({ fields, rules: [] }, spec, { root }),
      ...unusableIds({ fields }, spec, kinds.families, root),
      ...lintSpec({ fields }, spec, root),
    ];
    const isHole = holeTest(holes);
    const findings = all.filter(({ path }) => !isHole(path));
    for (const finding of findings) report(origin, finding);
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

/** The modules that a resource takes from its module sets: those it neither sets nor disables with null (decisions/0034). `own` is its spec with values in place. */
export function takenModules(
  draft: ResourceDraft,
  own: SpecObject,
  sets: ReadonlyMap<string, readonly SharedModule[]>,
  complete: boolean,
  problems: Problems,
): SharedModule[] {
  const taken = new Map<string, SharedModule>();
  if (!takesModuleSets(draft.kind)) return [];
  for (const { set, path } of setsNamed(draft, sets, complete, problems))
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

function setsNamed(
  { spec, specOrigin }: ResourceDraft,
  sets: ReadonlyMap<string, readonly SharedModule[]>,
  complete: boolean,
  problems: Problems,
): { readonly set: readonly SharedModule[]; readonly path: Path }[] {
  const names = spec[moduleSetsField] ?? [];
  if (!Array.isArray(names)) {
    problems.at(specOrigin, [moduleSetsField], {
      code: 'INVALID_TYPE',
      message: `\`${moduleSetsField}\` must be a list of names`,
    });
    return [];
  }
  return (names as readonly unknown[]).flatMap((name, index) => {
    const path = [moduleSetsField, index];
    const set = typeof name === 'string' ? sets.get(name) : undefined;
    if (set !== undefined) return [{ set, path }];
    if (typeof name !== 'string')
      problems.at(specOrigin, path, {
        code: 'INVALID_TYPE',
        message: `\`${moduleSetsField}[${String(index)}]\` must be the name of a module set`,
      });
    else if (!complete) problems.doubt();
    else
      problems.at(specOrigin, path, () => {
        const hint = nearName(name, sets.keys());
        return {
          code: 'UNKNOWN_MODULE_SET',
          message: `unknown module set \`${safeText(name, 100)}\``,
          ...(hint === undefined ? {} : { hint }),
        };
      });
    return [];
  });
}

/** A set's authentication is replaced by another one that the resource sets and enables. */
function isReplaced({ field }: SharedModule, kind: Kind, own: SpecObject): boolean {
  if (field.accessControl !== 'authentication') return false;
  return Object.entries(kind.fields).some(
    ([name, other]) => other.is === 'group' && other.accessControl === field.accessControl && isEnabled(own[name]),
  );
}
