import type { Plan } from '../../model/plan/plan.ts';
import type { VerificationFailure, Verification } from '../../model/verification.ts';
import type { PlanInput } from '../../plan/input.ts';
import type { ClonedAccount } from '../service/clone-account.ts';
import type { RefreshScope } from './refresh-stack.ts';
import { simulatedRun } from './simulated-run.ts';

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
    why === undefined ? [] : [{ address, message: `sluice apply would refuse the change: ${why.message}` }],
  );
  if (blocked.length > 0)
    return { converges: false, requests: 0, failures: blocked, remaining: [], assumptions: assumes };

  const copy = simulatedRun(input, clone, signal);
  const { requests, failures } = await copy.apply(plan);
  const left = await copy.remaining({ ...input, scope });
  return {
    converges: failures.length + left.failures.length + left.changes.length === 0,
    requests,
    failures: [...failures, ...left.failures],
    remaining: left.changes,
    assumptions: assumes,
  };
}
