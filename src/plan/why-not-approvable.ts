import { leavesOf, someInside } from '../kinds/leaves.ts';
import { UnavailableValue, type SpecValue } from '../kinds/value.ts';
import { isUnallowedBreach } from '../model/exposure/access-rules.ts';
import type { Plan } from '../model/plan/plan.ts';
import { unverifiedSecrets } from './warnings/unverified-secrets.ts';

/** Why no digest can approve a plan. */
export const notApprovableCodes = [
  'FROM_SNAPSHOT',
  'TARGETED',
  'BLOCKED',
  'ACCESS_RULE_BROKEN',
  'UNVERIFIED_SECRETS',
  'VALUES_UNAVAILABLE',
  'UNRESOLVED_CREATIONS',
] as const;

/** One reason, and how many changes, rules, secrets, values or creations it is about. */
export interface NotApprovable {
  readonly code: (typeof notApprovableCodes)[number];
  readonly count: number;
}

/** Why a digest of a plan cannot be approved: it would not be of everything that apply does. Empty for most plans. */
export function whyNotApprovable(plan: Plan): readonly NotApprovable[] {
  const counts: Readonly<Record<NotApprovable['code'], number>> = {
    FROM_SNAPSHOT: plan.snapshot === undefined ? 0 : 1,
    TARGETED: plan.complete ? 0 : 1,
    BLOCKED: plan.changes.filter(({ blocked }) => blocked !== undefined).length,
    ACCESS_RULE_BROKEN: (plan.rules ?? []).filter(isUnallowedBreach).length,
    UNVERIFIED_SECRETS: unverifiedSecrets(plan).length,
    VALUES_UNAVAILABLE: plan.changes.reduce((sum, { desired }) => sum + unavailableIn(desired ?? null), 0),
    UNRESOLVED_CREATIONS: plan.unresolved.length,
  };
  return notApprovableCodes.map((code) => ({ code, count: counts[code] })).filter(({ count }) => count > 0);
}

/** How many values in one were not available where the manifests were read. */
function unavailableIn(value: SpecValue): number {
  const isUnavailable = (inner: unknown): boolean => inner instanceof UnavailableValue;
  return someInside(value, isUnavailable) ? leavesOf(value).filter((leaf) => isUnavailable(leaf.value)).length : 0;
}
