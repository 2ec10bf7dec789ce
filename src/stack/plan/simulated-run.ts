import { applyPlan } from '../../apply/apply.ts';
import { createClient } from '../../api/client.ts';
import { readOnly } from '../../api/while-allowed.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { changeState } from '../../model/state-change.ts';
import type { State } from '../../model/state.ts';
import { present } from '../../model/present.ts';
import type { Verification, VerificationFailure } from '../../model/verification.ts';
import { refresh } from '../../refresh/refresh.ts';
import { serviceSource } from '../../refresh/service-source.ts';
import type { PlanInput } from '../../plan/input.ts';
import { planStack } from '../../plan/plan.ts';
import { emptyState } from '../../state/store.ts';
import type { ClonedAccount } from '../service/clone-account.ts';
import { embeddedUrl } from '../service/connection.ts';
import type { RefreshScope } from './refresh-stack.ts';

/** Manifests, whose they are, and what is read for them. */
export interface SimulatedStack extends Pick<PlanInput, 'desired' | 'stack'> {
  readonly scope: RefreshScope;
}

/** A copy of an account, with a state and files of its own: plans are made and applied in it, and nothing else is touched. */
export interface SimulatedRun {
  readonly plan: (wanted: SimulatedStack) => Promise<Plan>;
  /** Applies a plan, and plans again: an error of that counts as a failure. */
  readonly apply: (
    plan: Plan,
    wanted: SimulatedStack,
  ) => Promise<Pick<Verification, 'requests' | 'failures' | 'remaining'>>;
}

/** Begins with the account, the state and the files that a plan was made from. */
export function simulatedRun(input: PlanInput, { emulator }: ClonedAccount, signal?: AbortSignal): SimulatedRun {
  const dispatcher = emulator.dispatcher();
  const service = { baseUrl: embeddedUrl, vendor: 'example', key: () => 'copy', userAgent: 'sluice' };
  const files = new Map(input.files);
  let state: State | undefined = input.state;
  const plan: SimulatedRun['plan'] = async ({ desired, stack, scope }) => {
    const account = await refresh({
      ...scope,
      source: serviceSource(createClient({ ...service, dispatcher: dispatcher.compose(readOnly) }), input.kinds),
      kinds: input.kinds,
      stack,
      state,
      acceptMissing: true,
      isLocal: true,
    });
    return planStack({ ...input, desired, stack, account, state, files });
  };
  async function remaining(wanted: SimulatedStack): Promise<Pick<Verification, 'failures' | 'remaining'>> {
    try {
      const { changes, diagnostics } = await plan(wanted);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      return {
        failures: errors.map(({ address, message }) => present({ address, message })),
        remaining: changes.filter(({ action }) => action !== 'none'),
      };
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      return { failures: [{ message: error.message }], remaining: [] };
    }
  }

  return {
    plan,
    apply: async (made, wanted) => {
      state ??= emptyState(input.stack.id, embeddedUrl);
      const outcome = await applyPlan({
        plan: made,
        kinds: input.kinds,
        client: createClient({ ...service, dispatcher }),
        state,
        record: (change) => {
          state = state && changeState(state, change);
          return Promise.resolve();
        },
        digest: input.digest,
        clock: { now: () => 0, sleep: () => Promise.resolve(), random: () => 0 },
        writeFile: (path, text) => {
          files.set(path, text);
          return Promise.resolve();
        },
        ...(made.now === undefined ? {} : { now: () => made.now ?? 0 }),
        ...(signal === undefined ? {} : { signal }),
      });
      const left = await remaining(wanted);
      return { requests: outcome.requests, ...left, failures: [...failuresOf(outcome), ...left.failures] };
    },
  };
}

function failuresOf({ changes }: Outcome): readonly VerificationFailure[] {
  return changes.flatMap(({ address, ending, message, failedDependency }): VerificationFailure[] => {
    if (ending === 'done') return [];
    const why = failedDependency === undefined ? ending : `depends on ${failedDependency}, which did not complete`;
    return [{ address, message: message ?? why }];
  });
}

/** A plan, what it was made from, and where to try it. */
export interface ToVerify {
  readonly plan: Plan;
  readonly input: PlanInput;
  readonly scope: RefreshScope;
  readonly clone: ClonedAccount;
  readonly signal?: AbortSignal;
}

/** Carries a plan out on a copy of the account and plans again there: whether that leaves nothing to do (law 1). Neither the service nor state nor any file is touched. */
export async function verifyPlan({ plan, input, scope, clone, signal }: ToVerify): Promise<Verification> {
  const { assumes } = clone;
  const blocked = plan.changes.flatMap(({ address, blocked: why }): VerificationFailure[] =>
    why === undefined ? [] : [{ address, message: `sluice apply would refuse the change: ${why.message}` }],
  );
  if (blocked.length > 0)
    return { converges: false, requests: 0, failures: blocked, remaining: [], assumptions: assumes };

  const done = await simulatedRun(input, clone, signal).apply(plan, { ...input, scope });
  return { converges: done.failures.length + done.remaining.length === 0, ...done, assumptions: assumes };
}
