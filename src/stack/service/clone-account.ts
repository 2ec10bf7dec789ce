import { isMask } from '../../derive/mask.ts';
import { originInState } from '../../derive/stored/from-state.ts';
import { offers } from '../../derive/wire/operations.ts';
import { familiesIn, idsIn } from '../../derive/references.ts';
import { counted } from '../../diagnostics/counted.ts';
import { sharedHostports } from '../../emulator/behaviours/hostport-sharing.ts';
import { createEmulator, type Emulator } from '../../emulator/emulator.ts';
import type { EmulatorOptions } from '../../emulator/options.ts';
import type { KindSet, Kind } from '../../kinds/kind.ts';
import { leavesOf } from '../../kinds/leaves.ts';
import { isSpecObject, OutsideValue, Secret, type SpecValue } from '../../kinds/value.ts';
import { everyActual, type Actual } from '../../model/actual.ts';
import type { StateValue } from '../../model/state.ts';
import type { PlanInput } from '../../plan/input.ts';
import { hostportsOf } from '../../plan/routing/routing-model.ts';

/** A copy of an account, and what in it is not known but taken for granted. */
export interface ClonedAccount {
  readonly emulator: Emulator;
  readonly assumes: readonly string[];
}

/** Puts what was seen of an account into an emulator that behaves as the service was seen to behave. Nothing is asked of the service. */
export function cloneAccount(input: PlanInput): ClonedAccount {
  const { account, stack, state, kinds, now } = input;
  // Each once.
  const seen = [...new Map(everyActual(account).map((actual) => [`${actual.kind} ${actual.id}`, actual])).values()];
  const secrets = secretsIn(seen, input);
  const unseen = unseenIn(seen, input);
  const keepsTexts = Object.values(state?.entries ?? {}).some(({ unclearedFields }) => unclearedFields !== undefined);
  const emulator = createEmulator({
    kinds,
    profile: stack.profile,
    secrets: secrets.shown,
    ...(sharesHostports(seen, kinds) ? sharedHostports : {}),
    emptyRouteFields: keepsTexts ? 'kept' : 'cleared',
    clock: () => new Date(now ?? Date.now()),
    logKept: 0,
  });
  emulator.copy([...unseen.standIns, ...seen]);
  return { emulator, assumes: [...secrets.assumes, ...unseen.assumes] };
}

function sharesHostports(seen: readonly Actual[], kinds: KindSet): boolean {
  const taken = seen.flatMap(({ kind: name, spec }) => {
    const kind = kinds.named(name);
    return kind === undefined ? [] : [...new Set(hostportsOf({ kind, spec }))];
  });
  return new Set(taken).size < taken.length;
}

/** How the service shows secrets, as far as that was seen, and how many of them it keeps to itself. */
function secretsIn(
  seen: readonly Actual[],
  { account, state }: PlanInput,
): { readonly shown: NonNullable<EmulatorOptions['secrets']>; readonly assumes: readonly string[] } {
  const masked = seen
    .flatMap(({ spec }) => leavesOf(spec))
    .filter(
      ({ value }) => value instanceof Secret && !(value instanceof OutsideValue) && isMask(value.reveal()),
    ).length;
  const missing = Object.entries(state?.entries ?? {}).reduce((count, [address, entry]) => {
    const actual = account.ours.get(address);
    return actual?.id === entry.id ? count + missingIn(entry.spec, actual.spec) : count;
  }, 0);
  const hidden = masked + missing;
  return {
    shown: masked > 0 ? 'masked' : missing > 0 ? 'empty' : 'clear',
    assumes:
      hidden === 0
        ? []
        : [
            `whether ${counted(hidden, 'secret')} ${hidden === 1 ? 'has' : 'have'} the expected value: the service does not return it`,
          ],
  };
}

/** Secrets in state that the service omits, although it returns the fields around them. */
function missingIn(recorded: StateValue, actual: SpecValue): number {
  if (!isSpecObject(recorded) || !isSpecObject(actual)) return 0;
  return Object.entries(recorded).reduce((count, [key, value]) => {
    const there = actual[key];
    const isSecret = isSpecObject(value) && typeof value['secret'] === 'string' && originInState(value) === undefined;
    if (there === undefined) return count + (isSecret ? 1 : 0);
    return count + missingIn(value, there);
  }, 0);
}

/** References to resources that were not read: stand-ins for those of this API, and ids outside it. */
function unseenIn(
  seen: readonly Actual[],
  input: PlanInput,
): { readonly standIns: readonly Actual[]; readonly assumes: readonly string[] } {
  const { account, desired, stack, kinds } = input;
  const known = new Set(seen.map(({ id }) => id));
  const specs = [...seen, ...desired.resources].flatMap(({ kind: name, spec }) => {
    const kind = kinds.named(name);
    return kind === undefined ? [] : [{ kind, spec }];
  });
  const wanted = new Map(
    specs.flatMap(({ kind, spec }) => idsIn(kind, spec)).map(({ to, id }) => [`${to} ${id}`, { to, id }]),
  );
  const unseen = [...wanted.values()].filter(({ id }) => !known.has(id));
  // What is listed whole and not in the list is not there: then the copy refuses, as the service would.
  const standIns = unseen.flatMap(({ to, id }): Actual[] => {
    const kind = kinds.named(to);
    const isListedCompletely = kind !== undefined && account.complete.has(to) && offers(kind, stack.profile).list;
    return kind === undefined || isListedCompletely ? [] : [{ kind: to, id, spec: {}, computed: {} }];
  });
  const beyond = unseen.filter(({ to }) => kinds.named(to) === undefined).length;
  const unseenKinds = kinds.all.filter((kind) => mayBeInTheWay(kind, input)).map(({ name }) => name);
  return {
    standIns,
    assumes: [
      ...(standIns.length === 0
        ? []
        : [`whether ${counted(standIns.length, 'referenced resource')} exist: this run does not read their kinds`]),
      ...(beyond === 0
        ? []
        : [`whether the resources of ${counted(beyond, 'referenced id')} exist: this API cannot read them`]),
      ...(unseenKinds.length === 0
        ? []
        : [
            `whether unmanaged resources of kinds that were not listed conflict with this stack: ${unseenKinds.join(', ')}`,
          ]),
    ],
  };
}

/** Kinds of which other owners may have resources that were not read, and that may conflict with the plan. */
function mayBeInTheWay(kind: Kind, { account: { complete }, stack, kinds }: PlanInput): boolean {
  if (kind.within !== undefined) return false;
  const family = [kind, ...kinds.within(kind.name)];
  return complete.has(kind.name)
    ? !offers(kind, stack.profile).list
    : family.some(({ fields }) => familiesIn(fields).some((to) => complete.has(to)));
}
