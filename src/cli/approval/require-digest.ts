import { Stale } from '../../diagnostics/errors.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { notApprovableText } from '../../render/plan/plan-summary.ts';
import { whyNotApprovable } from '../../plan/why-not-approvable.ts';
import type { StackConfig } from '../../stack/settings/stack-config.ts';
import { planDigest } from '../../stack/plan/plan-digest.ts';
import type { Context } from '../context.ts';

/** Throws unless a plan has this digest, and the digest covers everything in it. */
export function requireDigest(context: Context, open: StackConfig, plan: Plan, approved: string): void {
  const reasons = whyNotApprovable(plan);
  if (reasons.length > 0)
    throw new Stale(
      'PLAN_NOT_APPROVABLE',
      `the plan is not approvable: ${reasons.map(notApprovableText).join('; ')}`,
      'a digest approves only a plan of the whole stack without blocked changes, broken access rules, unverified secrets or missing values',
      [],
    );
  const digest = planDigest(context, open, plan);
  if (digest !== approved)
    throw new Stale(
      'PLAN_IS_STALE',
      `the plan has the digest ${digest}, not the approved ${approved}`,
      'the account or the manifests have changed since the approval; have the new plan approved',
      [],
    );
}
