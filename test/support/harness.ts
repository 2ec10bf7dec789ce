import { applyPlan } from '../../src/apply/apply.ts';
import type { ApplyOptions } from '../../src/apply/apply-options.ts';
import type { Clock } from '../../src/api/clock.ts';
import type { Client } from '../../src/api/client.ts';
import { clientOf } from './client-of.ts';
import { readOnly } from '../../src/api/while-allowed.ts';
import { InvalidInput } from '../../src/diagnostics/errors.ts';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { kinds as ownKinds } from '../../src/kinds/index.ts';
import type { Profile, KindSet } from '../../src/kinds/kind.ts';
import type { Account } from '../../src/model/actual.ts';
import type { Address } from '../../src/model/address.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { hazardCodes, isEmptyPlan, type Plan } from '../../src/model/plan/plan.ts';
import { formerAddresses, type DesiredStack } from '../../src/model/resource.ts';
import type { Policy, Stack } from '../../src/model/stack.ts';
import type { State } from '../../src/model/state.ts';
import { refresh } from '../../src/refresh/refresh.ts';
import { readEndpoints, serviceSource } from '../../src/refresh/service-source.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import type { DecidedPlan } from '../../src/plan/decide-plan.ts';
import { planWithEndpoints } from '../../src/plan/plan-with-endpoints.ts';
import { plain } from '../../src/render/text/palette.ts';
import { planText } from '../../src/render/plan/plan-text.ts';
import { resolvedState } from '../../src/state/resolved.ts';
import { emptyState } from '../../src/state/store.ts';
import { loadText, type ManifestFiles } from './load-text.ts';
import { savingWholeStates, type SaveState } from './saving-whole-states.ts';

/** What a pipeline is made of; an empty account and nothing remembered unless said otherwise. */
export interface HarnessOptions {
  readonly profile?: Profile;
  readonly kinds?: KindSet;
  readonly service?: EmulatorOptions;
  readonly emulator?: Emulator;
  readonly state?: State;
  readonly policy?: Policy;
  readonly key?: string;
  readonly stack?: { readonly name: string; readonly id: string };
  /** The time of day, for what is due; without it nothing is. */
  readonly time?: () => number;
}

/** What is planned: manifests as text by file, or as they were loaded. */
export type Wanted = ManifestFiles | DesiredStack;

/** The whole way from manifests to a converged account, in memory. */
export interface Harness {
  readonly emulator: Emulator;
  readonly kinds: KindSet;
  readonly profile: Profile;
  /** The files beside the stack that apply has written. */
  readonly files: Map<string, string>;
  /** What is remembered between runs; undefined when it was lost. */
  readonly state: () => State | undefined;
  readonly loseState: () => void;
  /** A person records that an unresolved creation was not carried out. */
  readonly resolveAbsent: (address: Address) => void;
  readonly look: (desired: DesiredStack, options?: { readonly withoutState?: boolean }) => Promise<Account>;
  readonly plan: (
    wanted: Wanted,
    options?: Partial<PlanInput> & { readonly withoutState?: boolean },
  ) => Promise<{
    readonly plan: Plan;
    readonly decided: DecidedPlan;
    readonly account: Account;
    readonly desired: DesiredStack;
    /** What the plan was made from. */
    readonly input: PlanInput;
  }>;
  /** `save` receives each state as a whole. */
  readonly apply: (plan: Plan, options?: Partial<ApplyOptions> & { readonly save?: SaveState }) => Promise<Outcome>;
  /** Plans, applies, insists that everything was done and that nothing is left to do. Answers the plan that was applied, and what is there. */
  readonly converge: (
    wanted: Wanted,
  ) => Promise<{ readonly plan: Plan; readonly again: Plan; readonly account: Account }>;
}

/** Digests for tests: as good as real ones, and at no cost. */
export function digest(text: string): string {
  return `digest of ${Buffer.from(text).toString('hex')}`;
}

/** A plan as a person sees it. */
export function printed(plan: Plan, kinds: KindSet = ownKinds, requests = false): string {
  return planText(plan, { kinds, palette: plain, requests });
}

/** Waiting takes no time here. */
const impatient: Clock = { now: () => 0, sleep: () => Promise.resolve(), random: () => 0.5 };

/** Puts a pipeline together. */
export function harness({
  profile = 'completed',
  kinds = ownKinds,
  service = {},
  emulator = createEmulator({ seed: 1, profile, kinds, ...service }),
  policy = { maxDeletes: { count: 100_000 }, block: [] },
  stack: named = { name: 'prod', id: '7f3a9c21' },
  state: given,
  key = 'key-of-the-tests',
  time,
}: HarnessOptions = {}): Harness {
  const stack: Stack = { ...named, profile, marker: true };
  let state = given;
  const files = new Map<string, string>();
  const client = (interceptors: Parameters<ReturnType<Emulator['dispatcher']>['compose']>): Client =>
    clientOf(emulator.dispatcher().compose(...interceptors), { key: () => key });

  async function look(desired: DesiredStack, { withoutState = false } = {}): Promise<Account> {
    return refresh({
      source: serviceSource(client([readOnly]), kinds),
      kinds,
      stack,
      state: withoutState ? undefined : state,
      wanted: new Set(desired.resources.map(({ kind }) => kind)),
      addresses: desired.resources.map(({ address }) => address),
      adopt: desired.resources.flatMap(({ kind, lifecycle: { adopt: id } }) =>
        id === undefined ? [] : [{ kind, id }],
      ),
      formerly: desired.resources.flatMap(({ lifecycle }) => formerAddresses(lifecycle)),
      isLocal: true,
    });
  }

  const plan: Harness['plan'] = async (wanted, { withoutState = false, ...more } = {}) => {
    const desired = isDesired(wanted) ? wanted : await loadText(wanted, { kinds, profile });
    if (hasErrors(desired.diagnostics)) throw new InvalidInput(desired.diagnostics);
    const account = await look(desired, { withoutState });
    const input: PlanInput = {
      desired,
      account,
      state: withoutState ? undefined : state,
      stack,
      policy,
      kinds,
      digest,
      // Laws are about what happens once a person has said yes.
      allow: hazardCodes,
      files,
      ...(time === undefined ? {} : { now: time() }),
      ...more,
    };
    const made = await planWithEndpoints(input, () => readEndpoints(client([readOnly])));
    return { ...made, account, desired, input };
  };

  const apply: Harness['apply'] = async (made, { save = keep, ...options } = {}) => {
    const before = options.state ?? state ?? emptyState(stack.id, 'http://127.0.0.1');
    return applyPlan({
      plan: made,
      kinds,
      client: client([]),
      state: before,
      record: savingWholeStates(before, save),
      digest,
      clock: impatient,
      writeFile: (path, text) => Promise.resolve(void files.set(path, text)),
      ...(time === undefined ? {} : { now: time }),
      ...options,
    });
  };

  function keep(next: State): Promise<void> {
    state = next;
    return Promise.resolve();
  }

  return {
    emulator,
    kinds,
    profile,
    files,
    state: () => state,
    loseState: () => {
      state = undefined;
    },
    resolveAbsent: (address) => {
      state = state && (resolvedState(state, address) ?? state);
    },
    look,
    plan,
    apply,
    converge: async (wanted) => {
      const first = await plan(wanted);
      const { changes } = await apply(first.plan, { account: first.account });
      const open = changes.filter(({ ending }) => ending !== 'done');
      if (open.length > 0)
        throw new Error(`not done:\n${JSON.stringify(open, null, 2)}\n${printed(first.plan, kinds, true)}`);
      const { plan: again, account } = await plan(wanted);
      if (!isEmptyPlan(again))
        throw new Error(`left to do:\n${printed(again, kinds)}\nafter:\n${printed(first.plan, kinds, true)}`);
      return { plan: first.plan, again, account };
    },
  };
}

function isDesired(wanted: Wanted): wanted is DesiredStack {
  return Array.isArray((wanted as { resources?: unknown }).resources);
}
