/*
 * Values that resources take from others, as far as they are known before the apply: the account has them, and no replacement gives the
 * other resource new ones. What is replaced depends on the values in turn, so that both are found together.
 */
import { brokenRule } from '../derive/check/broken-rule.ts';
import { newFindings } from '../derive/check/new-findings.ts';
import { markedAddress } from '../derive/marker.ts';
import { fieldRefsIn, replaceFieldRefs, type FieldRef } from '../derive/references.ts';
import { valueAt } from '../derive/value-at.ts';
import { actualValue } from '../derive/wire/actual-value.ts';
import { hasErrors, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { fieldPath } from '../diagnostics/field-path.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { isIdentifying } from '../kinds/is-identifying.ts';
import type { Field, Fields, Kind, Leaf } from '../kinds/kind.ts';
import { Secret, type OutputSource, type Path, type SpecValue } from '../kinds/value.ts';
import type { Account, Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import { getsNewId } from '../model/plan/plan.ts';
import type { Desired } from '../model/resource.ts';
import type { Sliced } from '../model/sliced.ts';
import { decideResources } from './decide-resources.ts';
import type { PlanInput } from './input.ts';
import { matchResources } from './match-resources.ts';

/** The input with all values in place that are known; the others remain references. */
export function* withReferencedValues(input: PlanInput): Sliced<{
  readonly input: PlanInput;
  readonly diagnostics: readonly Diagnostic[];
}> {
  if (!input.desired.resources.some(({ references }) => references !== undefined)) return { input, diagnostics: [] };
  const resourcesOf = outputResources(input.account);
  const { pairs } = yield* matchResources(input);
  const actuals = new Map(pairs.map(({ address, actual }) => [address, actual]));
  for (const renewed = new Set<Address>(); ;) {
    const filled = inPlace(input, (ref) => (renewed.has(ref.to) ? ref : knownValue(ref)));
    const diagnostics = filled.desired.resources.flatMap((desired, index) =>
      problemsOf(desired, input.desired.resources[index] ?? desired, input, resourcesOf),
    );
    if (hasErrors(diagnostics)) return { input: filled, diagnostics };
    const before = renewed.size;
    const { decisions } = yield* decideResources(filled);
    for (const { action, pair } of decisions.values()) if (getsNewId(action)) renewed.add(pair.address);
    if (renewed.size === before) return { input: filled, diagnostics };
  }

  function knownValue(ref: FieldRef): SpecValue {
    const [other, ...more] = ref.output === undefined ? [] : resourcesOf(ref.output);
    const actual = more.length > 0 ? undefined : (other ?? actuals.get(ref.to) ?? input.account.ours.get(ref.to));
    return actual === undefined ? ref : (actualValue(actual, ref.field) ?? ref);
  }
}

function inPlace(input: PlanInput, valueOf: (ref: FieldRef) => SpecValue): PlanInput {
  const { desired } = input;
  const resources = desired.resources.map((one) =>
    one.references === undefined ? one : { ...one, spec: replaceFieldRefs(one.spec, valueOf) },
  );
  return { ...input, desired: { ...desired, resources } };
}

/** What is wrong with values that are known now, and with those that are not. */
function problemsOf(
  desired: Desired,
  before: Desired,
  { kinds, stack, leave }: PlanInput,
  resourcesOf: ReturnType<typeof outputResources>,
): Diagnostic[] {
  const kind = kinds.named(desired.kind);
  if (desired.references === undefined || kind === undefined || leave?.has(desired.address) === true) return [];
  const root = `${kind.name}.spec`;
  const wrongAt = (path: Path, problem: Partial<Diagnostic> & Pick<Diagnostic, 'code' | 'message'>): Diagnostic => ({
    severity: 'error',
    ...problem,
    address: desired.address,
    place: desired.places.of(path),
  });
  const left = fieldRefsIn(desired.spec);
  const ambiguous = left
    .filter(({ ref: { output } }) => output !== undefined && resourcesOf(output).length > 1)
    .map(({ path, ref }) =>
      wrongAt(path, {
        code: 'OUTPUT_NOT_ALLOWED',
        message: `several resources have the ownership marker of ${ref.to}: ${resourcesOf(ref.output as OutputSource)
          .map(({ id }) => safeText(id, 80))
          .sort()
          .join(', ')}`,
        hint: 'run `sluice plan` in that stack: the plan lists the duplicates and what to do',
      }),
    );
  const late = left
    .filter(({ path }) => ambiguous.length === 0 && !mayBeLate(kind, path))
    .map(({ path, ref: { to, field, output } }) => {
      const [why, command] =
        output === undefined
          ? [`\`${field}\` of ${to} is known only after the apply`, `sluice apply --target ${to}`]
          : [
              `\`${field}\` of ${output.address} is known only after the stack ${output.stack} is applied`,
              `sluice -C ${output.stack} apply`,
            ];
      return wrongAt(path, {
        code: 'VALUE_NOT_KNOWN',
        message: `\`${fieldPath(root, path)}\` determines which requests the plan makes or who has access, but ${why}`,
        hint: `first run: ${command}`,
      });
    });
  const wrong = newFindings(kind, before.spec, desired.spec).map((finding) => {
    const { code, path, hint } = finding;
    return wrongAt(path, { code, ...brokenRule(finding, stack.profile), ...(hint === undefined ? {} : { hint }) });
  });
  const taken = fieldRefsIn(before.spec).filter(({ path }) => valueAt(desired.spec, path) instanceof Secret);
  const masked = taken.map(({ path }) =>
    wrongAt(path, {
      code: 'REFERENCE_NOT_ALLOWED',
      message: `\`${fieldPath(root, path)}\` refers to a value from the environment or a file, which is masked`,
      hint: 'read the value from its source, with {from_env: NAME} or {from_file: path}',
    }),
  );
  return [...ambiguous, ...late, ...wrong, ...masked];
}

const plainFormats: ReadonlySet<Leaf['format']> = new Set([undefined, 'url', 'header-value']);

/** Whether a field may get its value during the apply: it neither identifies anything nor decides who has access. */
function mayBeLate({ fields, within, allowLists = [] }: Kind, path: Path): boolean {
  if (path[0] === within?.key || allowLists.includes(String(path[0]))) return false;
  return isHarmless(fields, path);
}

function isHarmless(fields: Fields, [name, ...rest]: Path): boolean {
  const field = fields[String(name)];
  return field !== undefined && isHarmlessField(field, rest);
}

function isHarmlessField(field: Field, rest: Path): boolean {
  if (field.widensWhen !== undefined) return false;
  if (field.is === 'leaf') return !isIdentifying(field) && plainFormats.has(field.format);
  if (field.is !== 'group') return isHarmlessField(field.of, rest.slice(1));
  const decides = field.accessControl !== undefined || field.filter !== undefined || field.mayAnswer === true;
  return !decides && isHarmless(field.fields, rest);
}

/** Finds resources of other stacks in the account, by their ownership markers; several where a resource was copied with its marker. */
export function outputResources({ foreign }: Pick<Account, 'foreign'>): (target: OutputSource) => readonly Actual[] {
  const marked = groupBy(foreign, ({ marker }) => (marker === undefined ? undefined : `${marker.s} ${marker.a}`));
  return ({ owner, address, formerly = [] }) => {
    for (const one of [address, ...formerly]) {
      const found = marked.get(`${owner} ${markedAddress(owner, one)}`);
      if (found !== undefined) return found;
    }
    return [];
  };
}
