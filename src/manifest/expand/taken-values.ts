/*
 * Values that resources take from others: `{ref: NAME, field: FIELD}`. A field that is set in a manifest has its value from there.
 * What the service computes is known once the account is read, and remains a reference until then.
 */
import { addressNamed } from '../../derive/address-named.ts';
import { newFindings } from '../../derive/check/new-findings.ts';
import { fieldAt } from '../../derive/field-at.ts';
import { isAtOrBelow, pointerOf } from '../../derive/pointer.ts';
import { fieldRefsIn, refsIn, replaceFieldRefs, type FieldRef } from '../../derive/references.ts';
import { valueAt } from '../../derive/value-at.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isIdentifying } from '../../kinds/is-identifying.ts';
import type { Profile, KindSet } from '../../kinds/kind.ts';
import { Ref, Secret, UnavailableValue, type Path, type SpecValue } from '../../kinds/value.ts';
import { splitAddress, type Address } from '../../model/address.ts';
import { compareText } from '../../model/compare-text.ts';
import type { Desired, PrintedValue } from '../../model/resource.ts';
import { findingProblem, type ManifestProblem, type ReportProblem } from '../check/problems.ts';
import { readableField } from '../check/readable-field.ts';
import { referenceHint } from '../read/near-name.ts';
import { dependencyOrder } from './dependency-order.ts';
import { notPrintable } from './resolve-spec.ts';
import { groupBy } from '../../model/group-by.ts';

/** What taking values needs besides the resources. */
export interface TakingOptions {
  readonly kinds: KindSet;
  readonly profile: Profile;
  /** Every manifest could be read, so that what is named and missing is a mistake. */
  readonly complete: boolean;
  /** Only some manifests are read: what others define is in the account. */
  readonly targeted: boolean;
  readonly report: ReportProblem;
  /** A value stays unknown because another manifest is wrong; that is reported where it is wrong. */
  readonly doubt: (about: Address) => void;
}

/** The resources with the values that they take from others, as far as manifests know them. */
export function takeValues(resources: readonly Desired[], options: TakingOptions): readonly Desired[] {
  if (resources.every(({ spec }) => fieldRefsIn(spec).length === 0)) return resources;
  const { kinds, profile } = options;
  const find = targets([...new Set(resources.map(({ address }) => address))].sort(compareText), options);
  const addressed = resources.map((desired) => ({
    ...desired,
    spec: replaceFieldRefs(desired.spec, (ref, path) => {
      const found = ref.output === undefined ? find(ref) : ref;
      return found instanceof Ref ? found : refused(desired, path, found);
    }),
  }));
  const { order, cycles } = dependencyOrder(new Map(addressed.map(({ address, spec }) => [address, refsIn(spec)])));
  // Of two with one address the first counts, and the other is reported later.
  const first = new Map([...addressed].reverse().map((desired) => [desired.address, desired]));
  const taken = new Map(first);
  for (const cycle of cycles) reportCycle(cycle);
  for (const address of order) {
    const desired = taken.get(address);
    if (desired !== undefined) taken.set(address, withValues(desired));
  }
  return addressed.map(
    (desired) => (first.get(desired.address) === desired ? taken.get(desired.address) : undefined) ?? desired,
  );

  function withValues(desired: Desired): Desired {
    const references = fieldRefsIn(desired.spec);
    if (references.length === 0) return desired;
    const printed: PrintedValue[] = [...(desired.printed ?? [])];
    const spec = replaceFieldRefs(desired.spec, (ref, path) => {
      const target = taken.get(ref.to);
      const own = target?.printed?.find(({ path: at }) => at.join('.') === ref.field);
      if (own !== undefined) printed.push({ ...own, path });
      return target === undefined ? ref : valueFor(desired, path, ref, target);
    });
    const result = { ...desired, spec, references, ...(printed.length === 0 ? {} : { printed }) };
    const kind = kinds.named(desired.kind);
    const findings = kind === undefined ? [] : newFindings(kind, desired.spec, spec);
    for (const finding of findings) add(desired, finding.path, findingProblem(finding, profile));
    return result;
  }

  /** The value that a manifest sets; a reference remains where the service decides. */
  function valueFor(desired: Desired, path: Path, ref: FieldRef, target: Desired): SpecValue {
    const kind = kinds.named(target.kind);
    const at = ref.field.split('.');
    const of = kind === undefined ? undefined : fieldAt(kind.fields, at);
    if (of?.is !== 'leaf' || of.lifecycle === 'computed') return ref;
    if (isAtOrBelow(pointerOf(at), target.lifecycle.ignore ?? []))
      return refused(desired, path, noValue(`\`${ref.field}\` is listed in \`lifecycle.ignore\` of ${ref.to}`));
    const value = valueAt(target.spec, at) ?? of.default;
    if (value === undefined || value === '')
      return refused(
        desired,
        path,
        noValue(
          `\`${ref.field}\` is not set in the manifest of ${ref.to}`,
          'set the field in the manifest of the referenced resource',
        ),
      );
    const own = kinds.named(desired.kind);
    const field = own === undefined ? undefined : fieldAt(own.fields, path);
    return value instanceof Secret &&
      !(value instanceof UnavailableValue) &&
      value.origin !== undefined &&
      field?.is === 'leaf' &&
      isIdentifying(field)
      ? refused(desired, path, notPrintable(fieldPath(`${desired.kind}.spec`, path), value.origin))
      : value;
  }

  function reportCycle(cycle: readonly Address[]): void {
    for (const [index, address] of cycle.entries()) {
      const desired = first.get(address);
      const next = cycle[(index + 1) % cycle.length];
      const [reference] = fieldRefsIn(desired?.spec).filter(({ ref }) => ref.to === next);
      if (desired === undefined || reference === undefined) continue;
      const path = [...cycle.slice(index), ...cycle.slice(0, index), address].join(' -> ');
      add(desired, reference.path, {
        code: 'REFERENCE_CYCLE',
        message: `${address} refers to itself: ${path}`,
        hint: 'replace one of the references with a literal value',
      });
      taken.set(address, { ...desired, spec: replaceFieldRefs(desired.spec, () => new UnavailableValue()) });
    }
  }

  function refused(desired: Desired, path: Path, problem: Refusal | undefined): SpecValue {
    if (problem === undefined) options.doubt(desired.address);
    else add(desired, path, problem);
    return new UnavailableValue();
  }

  function add(desired: Desired, path: Path, refusal: Refusal): void {
    const make = (): Omit<Diagnostic, 'address' | 'severity'> => {
      const { related: _, severity: _own, ...problem } = typeof refusal === 'function' ? refusal() : refusal;
      return { ...problem, place: desired.places.of(path) };
    };
    options.report(desired, make, typeof refusal === 'function' ? 'error' : refusal.severity);
  }
}

/** What is wrong with a reference; an error that is made only if it is listed. */
type Refusal = ManifestProblem | (() => ManifestProblem);

type Target = FieldRef | Refusal | undefined;

/** Finds the resource that a reference names: by its name, or by its address where several have the name. */
function targets(defined: readonly Address[], { kinds, complete, targeted }: TakingOptions): (ref: FieldRef) => Target {
  const addresses = new Set(defined);
  const byName = groupBy(defined, (address) => splitAddress(address).name);
  return ({ to, field }) => {
    const found = to.includes('/') ? addressed(to) : withName(to);
    if (typeof found !== 'string') return found;
    const kind = kinds.named(splitAddress(found).kind);
    if (kind === undefined) return unknown(found);
    const leaf = readableField(kind, field);
    return 'is' in leaf ? (new Ref(found, field) as FieldRef) : leaf;
  };

  function addressed(text: string): Address | Refusal | undefined {
    const address = addressNamed(text, kinds);
    if (addresses.has(address) || targeted) return address;
    return complete ? unknown(address) : undefined;
  }

  function withName(name: string): Address | Refusal | undefined {
    const [first, ...others] = byName.get(name) ?? [];
    const shown = safeText(name, 100);
    if (first !== undefined && others.length === 0) return first;
    if (first !== undefined)
      return {
        code: 'UNKNOWN_REFERENCE',
        message: `several resources are named \`${shown}\`: ${[first, ...others].join(', ')}`,
        hint: `write the kind before the name: {ref: ${first}, field: …}`,
      };
    if (targeted)
      return {
        code: 'UNKNOWN_REFERENCE',
        message: `no resource named \`${shown}\` is defined in the manifests given to this command`,
        hint: `to take the value from the account, write the kind before the name: {ref: Kind/${shown}, field: …}`,
      };
    return complete ? unknown(name) : undefined;
  }

  function unknown(name: string): Refusal {
    return () => ({
      code: 'UNKNOWN_REFERENCE',
      message: `no resource named \`${safeText(name, 200)}\` is defined in the manifests`,
      hint: referenceHint(name, name.includes('/') ? addresses : byName.keys()),
    });
  }
}

function noValue(why: string, hint?: string): ManifestProblem {
  return {
    code: 'VALUE_NOT_SET',
    message: `the reference cannot be resolved: ${safeText(why, 500)}`,
    ...(hint === undefined ? {} : { hint }),
  };
}
