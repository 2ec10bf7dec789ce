import { applyPlan } from '../../apply/apply.ts';
import { createClient } from '../../api/client.ts';
import { readOnly } from '../../api/read-only.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import type { Change, Plan } from '../../model/plan.ts';
import type { State } from '../../model/state.ts';
import type { VerificationFailure, Verification } from '../../model/verification.ts';
import { refresh, type RefreshOptions } from '../../refresh/refresh.ts';
import type { PlanInput } from '../../plan/input.ts';
import { planStack } from '../../plan/plan.ts';
import { emptyState } from '../../state/store.ts';
import type { ClonedAccount } from '../service/clone-account.ts';
import { embeddedUrl } from '../service/connection.ts';
import type { RefreshScope } from './refresh-stack.ts';

/** A plan, what it was made from, and where to try it. */
export interface ToVerify {
  readonly plan: Plan;
  readonly input: PlanInput;
  /** The scope of the refresh. */
  readonly scope: RefreshScope;
  readonly clone: ClonedAccount;
  readonly signal?: AbortSignal;
}

/** Carries a plan out on a copy of the account and plans again there: whether that leaves nothing to do (law 1). Neither the service nor state nor any file is touched. */
export async function verifyPlan({ plan, input, scope, clone, signal }: ToVerify): Promise<Verification> {
  const { assumes } = clone;
  const blocked = plan.changes.flatMap(({ address, blocked: why }): VerificationFailure[] =>
    why === undefined ? [] : [{ address, message: `apply refuses it: ${why.message}` }],
  );
  if (blocked.length > 0)
    return { converges: false, requests: 0, failures: blocked, remaining: [], assumptions: assumes };

  const dispatcher = clone.emulator.dispatcher();
  const service = { baseUrl: embeddedUrl, vendor: 'example', key: () => 'copy', userAgent: 'sluice' };
  const files = new Map(input.files);
  let state: State = input.state ?? emptyState(input.stack.id, embeddedUrl);
  const outcome = await applyPlan({
    plan,
    kinds: input.kinds,
    client: createClient({ ...service, dispatcher }),
    state,
    save: (next) => {
      state = next;
      return Promise.resolve();
    },
    digest: input.digest,
    clock: { now: () => 0, sleep: () => Promise.resolve(), random: () => 0 },
    writeFile: (path, text) => {
      files.set(path, text);
      return Promise.resolve();
    },
    ...(plan.now === undefined ? {} : { now: () => plan.now ?? 0 }),
    ...(signal === undefined ? {} : { signal }),
  });
  const failures = outcome.changes.flatMap(({ address, ending, message, failedDependency }): VerificationFailure[] =>
    ending === 'done'
      ? []
      : [
          {
            address,
            message:
              message ??
              (failedDependency === undefined ? ending : `depends on ${failedDependency}, which did not complete`),
          },
        ],
  );
  const again = await planAgain(
    input,
    {
      ...scope,
      client: createClient({ ...service, dispatcher: dispatcher.compose(readOnly) }),
      kinds: input.kinds,
      stack: input.stack,
      state,
      acceptMissing: true,
      isLocal: true,
    },
    files,
  );
  return {
    converges: failures.length === 0 && again.errors.length === 0 && again.left.length === 0,
    requests: outcome.requests,
    failures: [...failures, ...again.errors],
    remaining: again.left,
    assumptions: assumes,
  };
}

/** The remaining changes; an error of the second plan counts as a failure. */
async function planAgain(
  input: PlanInput,
  look: RefreshOptions,
  files: ReadonlyMap<string, string | undefined>,
): Promise<{ readonly left: readonly Change[]; readonly errors: readonly VerificationFailure[] }> {
  try {
    const account = await refresh(look);
    const { changes, diagnostics } = planStack({ ...input, account, state: look.state, files });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return {
      left: changes.filter(({ action }) => action !== 'none'),
      errors: errors.map(({ address, message }) => ({ ...(address === undefined ? {} : { address }), message })),
    };
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return { left: [], errors: [{ message: error.message }] };
  }
}
