import { mayUse } from '../../derive/wire/operations.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { namedFieldsWhere } from '../../kinds/named-fields.ts';
import type { Problem, Provenance } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import { isSpecObject, Ref, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import { present } from '../../model/present.ts';
import type { Decision, Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';

/** Where parents are found: by address while they have no id, else by id, among what is ours and what is not. */
export interface Parents {
  readonly decisions: Decisions;
  readonly byId: ReadonlyMap<unknown, Decision>;
  readonly foreignById: ReadonlyMap<unknown, Actual>;
}

/** Indexes the parents for `brokenRules`. */
export function parentsOf(decisions: Decisions, { account, kinds }: PlanInput): Parents {
  const byId = new Map<unknown, Decision>();
  for (const decision of decisions.values()) {
    const { actual, kind } = decision.pair;
    if (actual !== undefined && kinds.within(kind.name).length > 0 && !byId.has(actual.id))
      byId.set(actual.id, decision);
  }
  return { decisions, byId, foreignById: new Map(account.foreign.map((actual) => [actual.id, actual])) };
}

const ruledFields = namedFieldsWhere((field) => field.is === 'group' && field.rules.length > 0);

/** Rules that hold only together with what the service has decided, such as where TLS ends. */
export function brokenRules(decision: Decision, parents: Parents, { stack }: PlanInput): Diagnostic[] {
  const { pair, spec } = decision;
  const { kind, desired } = pair;
  const isRuled =
    ruledFields(kind.fields).length > 0 || kind.reported !== undefined || kind.within?.rules !== undefined;
  if (desired === undefined || !isRuled) return [];
  const found: { readonly since: Provenance; readonly problem: Problem }[] = [];
  const add = (since: Provenance, alone: readonly Problem[], there: readonly Problem[]): void => {
    // An error of the manifest alone was reported when it was read.
    if (alone.length === 0) found.push(...there.map((problem) => ({ since, problem })));
  };
  const whole = asThere(decision);
  for (const { name, field } of whole === spec ? [] : ruledFields(kind.fields)) {
    const [module, there] = [spec[name], whole[name]];
    if (field.is === 'group' && isSpecObject(module) && isSpecObject(there))
      for (const { since, check } of field.rules) add(since, check(module), check(there));
  }
  for (const { since, check } of kind.reported ?? []) add(since, [], check(spec, pair.actual?.computed ?? {}));
  const outer = parentIn(kind, spec);
  const parent = outer instanceof Ref ? parents.decisions.get(outer.to) : parents.byId.get(outer);
  const foreign = parents.foreignById.get(outer);
  const around =
    parent?.pair.actual === undefined ? foreign && overlaid(foreign.spec, foreign.computed) : asThere(parent);
  if (around !== undefined)
    for (const { since, check } of kind.within?.rules ?? []) add(since, [], check(spec, around));
  return found.map(({ since, problem: { path, message, hint } }) => ({
    code: 'INVALID_COMBINATION',
    severity: mayUse(stack.profile, since) ? 'error' : 'warning',
    message,
    address: pair.address,
    place: desired.places.of(path),
    ...present({ hint }),
  }));
}

/** What is wanted, with what the service has decided beside it. */
function asThere({ pair, spec }: Decision): SpecObject {
  return pair.actual === undefined ? spec : overlaid(spec, pair.actual.computed);
}

function overlaid(spec: SpecObject, computed: SpecObject): SpecObject {
  let whole: Record<string, SpecValue> | undefined;
  for (const name in computed) {
    const value = computed[name];
    if (!isSpecObject(value)) continue;
    const own = spec[name];
    whole ??= { ...spec };
    whole[name] = isSpecObject(own) ? { ...value, ...own } : value;
  }
  return whole ?? spec;
}
