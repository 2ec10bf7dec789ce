import { counted } from '../../diagnostics/counted.ts';
import type { NotApprovable } from '../../plan/why-not-approvable.ts';

const texts: Readonly<Record<NotApprovable['code'], (count: number) => string>> = {
  FROM_SNAPSHOT: () => 'the plan was made from a snapshot',
  TARGETED: () => 'the plan is a targeted plan',
  BLOCKED: (count) => `${counted(count, 'change is', 'changes are')} blocked`,
  ACCESS_RULE_BROKEN: (count) => `${counted(count, 'access rule is', 'access rules are')} broken`,
  UNVERIFIED_SECRETS: (count) => `${counted(count, 'secret')} cannot be verified`,
  VALUES_UNAVAILABLE: (count) => `${counted(count, 'value is', 'values are')} not available`,
  UNRESOLVED_CREATIONS: (count) => `${counted(count, 'creation')} of an earlier run must be resolved`,
};

/** Why no digest approves a plan, in words: `1 change is blocked`. */
export function notApprovableText({ code, count }: NotApprovable): string {
  return texts[code](count);
}
