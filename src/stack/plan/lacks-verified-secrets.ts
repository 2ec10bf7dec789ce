import type { StackContext } from '../stack-context.ts';
import { counted } from '../../diagnostics/counted.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { unverifiedSecrets } from '../../plan/warnings/unverified-secrets.ts';

/** Whether secrets must be verified and some are not; reports how many. */
export function lacksVerifiedSecrets(
  context: StackContext,
  plan: Plan,
  { requireVerifiedSecrets }: { readonly requireVerifiedSecrets?: boolean },
): boolean {
  const { length } = unverifiedSecrets(plan);
  if (requireVerifiedSecrets !== true || length === 0) return false;
  context.log(
    'error',
    `${counted(length, 'secret')} cannot be verified without the state of an earlier run, and --require-verified-secrets is set; keep the state between runs, or use --resend-secrets`,
  );
  return true;
}
