import { normalize } from '../../derive/canonical.ts';
import { checkSpec, type Finding } from '../../derive/check/check-spec.ts';
import { lintSpec } from '../../derive/check/lint-spec.ts';
import { fieldAt } from '../../derive/field-at.ts';
import { valueAt } from '../../derive/value-at.ts';
import { unusableIds } from '../../derive/check/unusable-ids.ts';
import { unsupportedFields } from '../../derive/check/unsupported-fields.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import type { Fields, Kind, Profile, KindSet } from '../../kinds/kind.ts';
import { Ref, type Path, type SpecObject } from '../../kinds/value.ts';
import { addressOf, nestedName, splitAddress, type Address } from '../../model/address.ts';
import type { Desired } from '../../model/resource.ts';
import { isNestedDraft, type ResourceDraft } from './resource-draft.ts';
import type { Expand } from '../expansion.ts';
import { brokenRule } from '../../derive/check/broken-rule.ts';
import { readLifecycle } from '../check/lifecycle.ts';
import { misplacedField } from '../check/misplaced-field.ts';
import { valueHint } from '../check/value-hint.ts';
import { checkMarkerRoom } from '../check/marker-room.ts';
import { moduleSetsField, takesModuleSets } from '../check/module-set.ts';
import type { ManifestProblem, Problems } from '../check/problems.ts';
import type { FindOutput } from './find-outputs.ts';
import type { RefTable } from './ref-table.ts';
import { holeTest, resolveSpec, type Resolved } from './resolve-spec.ts';
import { ResourcePlaces } from './resource-places.ts';
import { findingKey, takenModules, type SharedModule } from '../check/shared-module.ts';
import { targetFile } from '../write/target-file.ts';
import type { ValueSource } from '../read/value-source.ts';
import type { WrittenObject, Origin } from '../read/written.ts';
import type { Variables } from '../variables/variables.ts';

/** What every resource of a run is built with. */
export interface BuildContext {
  /** The stack's directory. */
  readonly dir: string;
  readonly kinds: KindSet;
  readonly profile: Profile;
  /** Whether resources carry the marker. */
  readonly marker: boolean;
  readonly problems: Problems;
  readonly refs: RefTable;
  readonly outputs: FindOutput;
  readonly variables: Variables;
  readonly values: ValueSource;
  readonly sets: ReadonlyMap<string, readonly SharedModule[]>;
  readonly expand: Expand;
  /** Every manifest could be read, so that what is named and missing is a mistake. */
  readonly complete: boolean;
}

/** Makes of a draft the resource that is wanted: modules shared, references and values resolved, everything checked. Undefined where not even its address is known. */
export function build(draft: ResourceDraft, shop: BuildContext): Desired | undefined {
  const { kind, specOrigin } = draft;
  const { problems } = shop;
  const root = `${kind.name}.spec`;
  const own = resolveIn(shop, kind.fields, withoutSets(draft), specOrigin, root);
  const shared = shop.expand(draft, takenModules(draft, own.spec, shop.sets, shop.complete, problems));
  const taken = Object.fromEntries(shared.map(({ name, value }) => [name, value]));
  const spec: SpecObject = shared.length === 0 ? own.spec : { ...own.spec, ...taken };
  const address = addressIn(kind, draft.name, spec);
  const report = (path: Path, complaint: ManifestProblem) =>
    problems.at(originOf(path), path, { ...complaint, ...(address === undefined ? {} : { address }) });

  const holes = [...own.holes, ...shared.flatMap((module) => module.holes)];
  if (holes.length > 0) problems.doubt();
  const printed = [...own.printed, ...shared.flatMap((module) => module.printed)];
  const found = [
    ...checkSpec(kind, spec, { root }),
    ...unusableIds(kind, spec, shop.kinds.families, root),
    ...lintSpec(kind, spec, root),
    ...unsupportedFields(kind.fields, spec, shop.profile, root),
  ];
  const isReported = (finding: Finding): boolean => shared.some(({ reported }) => reported.has(findingKey(finding)));
  const isHole = holeTest(holes);
  for (const finding of found)
    if (!isHole(finding.path) && !isReported(finding))
      reportFinding(shop, originOf(finding.path), withHint(finding, spec, draft, shop.kinds), address);
  checkMarkerRoom(kind, spec, shop.marker, report);
  const lifecycle = readLifecycle(draft.lifecycle, {
    kind,
    kinds: shop.kinds,
    isNested: isNestedDraft(draft),
    spec,
    // Stacks that share a manifest each write a file of their own.
    fileNamed: (path) => targetFile(shop.dir, path)?.name,
    report: (path, complaint) => problems.at(draft.lifecycleOrigin, path, complaint),
  });
  if (address === undefined) {
    const key = kind.within?.key ?? '';
    if (spec[key] instanceof Ref)
      report([key], {
        code: 'REFERENCE_NOT_ALLOWED',
        message: `\`${root}.${key}\` cannot reference another resource: the field identifies this resource, which has no \`metadata.name\``,
        hint: 'set `metadata.name`',
      });
    return undefined;
  }
  return {
    address,
    kind: kind.name,
    labels: draft.labels,
    spec,
    ...(printed.length === 0 ? {} : { printed }),
    lifecycle,
    place: problems.startOf(draft.origin, draft.written),
    places: new ResourcePlaces(problems, {
      whole: draft.origin,
      isNested: isNestedDraft(draft),
      modules: shared.map(({ name, origin }) => ({ name, origin })),
      printed,
    }),
  };

  function originOf([first]: Path): Origin {
    return shared.find(({ name }) => name === first)?.origin ?? specOrigin;
  }
}

function withoutSets({ kind, spec }: ResourceDraft): WrittenObject {
  if (!takesModuleSets(kind) || !Object.hasOwn(spec, moduleSetsField)) return spec;
  const { [moduleSetsField]: _, ...fields } = spec;
  return fields;
}

/** Resolves fields written at an origin. */
export function resolveIn(
  {
    refs,
    outputs,
    variables,
    values,
    problems,
  }: Pick<BuildContext, 'refs' | 'outputs' | 'variables' | 'values' | 'problems'>,
  fields: Fields,
  written: WrittenObject,
  origin: Origin,
  root: string,
): Resolved {
  return resolveSpec(fields, written, {
    root,
    refs,
    outputs,
    variables,
    // What a patch wrote names files from the stack's directory; a manifest names them from its own.
    find: (from, format, path, isOfStackFile) =>
      values.find(from, isOfStackFile || isPatched(origin, path) ? undefined : origin.document.file.path, format),
    report: (path, complaint) => problems.at(origin, path, complaint),
  });
}

/** Reports a finding: described facts are errors, completed ones only where the profile trusts them. */
export function reportFinding(
  { problems, profile }: Pick<BuildContext, 'problems' | 'profile'>,
  origin: Origin,
  finding: Finding,
  address?: Address,
): void {
  const { code, path, hint } = finding;
  problems.at(origin, path, {
    code,
    ...brokenRule(finding, profile),
    ...(hint === undefined ? {} : { hint }),
    ...(address === undefined ? {} : { address }),
  });
}

/** The address of a resource; the address of a nested one contains the name or id of its parent. */
function addressIn(
  { name: kind, within, fields }: Kind,
  name: string | undefined,
  spec: SpecObject,
): Address | undefined {
  if (within === undefined) return name === undefined ? undefined : addressOf(kind, name);
  const parent = spec[within.by];
  const [field, key] = [fields[within.key], spec[within.key]];
  const own = name ?? (field?.is === 'leaf' && typeof key === 'string' ? normalize(field, key) : key);
  if (typeof own !== 'string' || own === '') return undefined;
  if (parent instanceof Ref) return addressOf(kind, nestedName(splitAddress(parent.to).name, own));
  return typeof parent === 'string' && parent !== '' ? addressOf(kind, nestedName(parent, own)) : undefined;
}

/** What to write instead. An unknown field may be one that manifests have besides those of the API, or belong elsewhere. */
function withHint(finding: Finding, spec: SpecObject, draft: ResourceDraft, kinds: KindSet): Finding {
  const { kind, sugar } = draft;
  if (finding.code !== 'UNKNOWN_FIELD') {
    const hint = finding.hint ?? valueHint(fieldAt(kind.fields, finding.path), valueAt(spec, finding.path));
    return hint === undefined ? finding : { ...finding, hint };
  }
  const [name, group] = [String(finding.path.at(-1)), finding.path.slice(0, -1)];
  const place = { block: 'spec', path: group, kind, kinds, isNested: isNestedDraft(draft) } as const;
  const known = Object.keys(kind.fields).filter((field) => kind.fields[field]?.lifecycle !== 'computed');
  const all = [...known, ...sugar, ...(takesModuleSets(kind) ? [moduleSetsField] : [])];
  return {
    ...finding,
    ...(group.length === 0 ? { hint: unknownField(name, all).hint } : {}),
    ...misplacedField(name, place),
  };
}

function isPatched({ base, edits }: Origin, path: Path): boolean {
  const whole = [...base, ...path];
  return edits.some((edit) => edit.place !== undefined && edit.path.every((step, index) => whole[index] === step));
}
