import { normalize } from '../../derive/canonical.ts';
import { checkSpec, type Finding } from '../../derive/check/check-spec.ts';
import { lintSpec } from '../../derive/check/lint-spec.ts';
import { fieldAt } from '../../derive/field-at.ts';
import { valueAt } from '../../derive/value-at.ts';
import { unusableIds } from '../../derive/check/unusable-ids.ts';
import { unsupportedFields } from '../../derive/check/unsupported-fields.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
import { Ref, type Path, type SpecObject } from '../../kinds/value.ts';
import { addressOf, nestedName, splitAddress, type Address } from '../../model/address.ts';
import { emptyMapping } from '../../model/empty.ts';
import type { Desired, Lifecycle } from '../../model/resource.ts';
import { isNestedDraft, type ResourceDraft } from './resource-draft.ts';
import { readLifecycle } from '../check/lifecycle.ts';
import { misplacedField, writableNames } from '../check/misplaced-field.ts';
import { valueHint } from '../check/value-hint.ts';
import { checkMarkerRoom } from '../check/marker-room.ts';
import { moduleSetsField, takesModuleSets } from '../check/module-set.ts';
import { findingProblem, type ManifestProblem } from '../check/problems.ts';
import { holeTest, resolveSpec, type ResolveContext, type Resolved } from './resolve-spec.ts';
import { ResourcePlaces } from './resource-places.ts';
import { findingKey, type SharedModule, type TakeModules } from '../check/shared-module.ts';
import { targetFile } from '../write/target-file.ts';
import { inside, type WrittenObject, type Origin } from '../read/written.ts';

/** What every resource of a run is built with. */
export interface BuildContext extends ResolveContext {
  readonly dir: string;
  readonly kinds: KindSet;
  readonly marker: boolean;
  readonly takeModules: TakeModules;
}

/** Makes of a draft the resource that is wanted: modules shared, references and values resolved, everything checked. Undefined where not even its address is known. */
export function build(draft: ResourceDraft, shop: BuildContext): Desired | undefined {
  const { kind, specOrigin } = draft;
  const { problems, profile } = shop;
  const root = `${kind.name}.spec`;
  const own = resolveSpec(kind.fields, withoutSets(draft), specOrigin, root, shop);
  const shared = shop.takeModules(draft, own.spec);
  const { spec, holes, printed } = withModules(own, shared);
  const address = addressIn(kind, draft.name, spec);
  const report = (path: Path, complaint: ManifestProblem) =>
    problems.at(originOf(path), path, { ...complaint, ...(address === undefined ? {} : { address }) });

  if (holes.length > 0) problems.doubt();
  const found = checkSpec(kind, spec, { root }).concat(
    unusableIds(kind, spec, shop.kinds.families, root),
    lintSpec(kind, spec, root),
    unsupportedFields(kind.fields, spec, profile, root),
  );
  if (found.length > 0) reportAll(found);
  checkMarkerRoom(kind, spec, shop.marker, report);
  const lifecycle = lifecycleOf(draft, spec, shop);
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
  const desired: Desired = {
    address,
    kind: kind.name,
    labels: draft.labels,
    spec,
    lifecycle,
    place: problems.startOf(draft.origin, draft.written),
    places: new ResourcePlaces(problems, {
      whole: draft.origin,
      isNested: isNestedDraft(draft),
      modules: shared,
      printed,
    }),
  };
  return printed.length === 0 ? desired : { ...desired, printed };

  function originOf([first]: Path): Origin {
    return shared.find(({ name }) => name === first)?.origin ?? specOrigin;
  }

  function reportAll(findings: readonly Finding[]): void {
    const isReported = (finding: Finding): boolean => shared.some(({ reported }) => reported.has(findingKey(finding)));
    const isHole = holeTest(holes);
    for (const finding of findings)
      if (!isHole(finding.path) && !isReported(finding))
        report(finding.path, findingProblem(withHint(finding, spec, draft, shop.kinds), profile));
  }
}

function withModules(own: Resolved, shared: readonly SharedModule[]): Resolved {
  if (shared.length === 0) return own;
  const taken = shared.map(({ name, value }) => [name, value] as const);
  return {
    spec: { ...own.spec, ...Object.fromEntries(taken) },
    holes: own.holes.concat(...shared.map(({ holes }) => holes)),
    printed: own.printed.concat(...shared.map(({ printed }) => printed)),
  };
}

function lifecycleOf(draft: ResourceDraft, spec: SpecObject, { dir, kinds, problems }: BuildContext): Lifecycle {
  const { kind, lifecycle: written, origin } = draft;
  if (written === undefined || written === null) return emptyMapping;
  return readLifecycle(written, {
    kind,
    kinds,
    isNested: isNestedDraft(draft),
    spec,
    // Stacks that share a manifest each write a file of their own.
    fileNamed: (path) => targetFile(dir, path)?.name,
    report: (path, complaint) => problems.at(inside(origin, 'lifecycle'), path, complaint),
  });
}

function withoutSets({ kind, spec }: ResourceDraft): WrittenObject {
  if (!takesModuleSets(kind) || !Object.hasOwn(spec, moduleSetsField)) return spec;
  const { [moduleSetsField]: _, ...fields } = spec;
  return fields;
}

/** The address of a resource; the address of a nested one contains the name or id of its parent. */
function addressIn(
  { name: kind, within, fields }: Kind,
  name: string | undefined,
  spec: SpecObject,
): Address | undefined {
  if (within === undefined) return name === undefined ? undefined : addressOf(kind, name);
  const parent = spec[within.by];
  const field = fields[within.key];
  const key = spec[within.key];
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
  const all = [...writableNames(kind.fields), ...sugar, ...(takesModuleSets(kind) ? [moduleSetsField] : [])];
  return {
    ...finding,
    ...(group.length === 0 ? { hint: unknownField(name, all).hint } : {}),
    ...misplacedField(name, place),
  };
}
