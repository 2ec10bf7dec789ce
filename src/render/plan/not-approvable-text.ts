import { counted } from '../../diagnostics/counted.ts';
import type { NotApprovable } from '../../plan/why-not-approvable.ts';

const texts: Readonly<Record<NotApprovable['code'], (count: number) => string>> = {
  FROM_SNAPSHOT: () => 'the plan was made from a snapshot',
  TARGETED: () => 'the plan is a targeted plan',
  BLOCKED: (count) => `${counted(count, 'change')} ${are(count)} blocked`,
  ACCESS_RULE_BROKEN: (count) => `${counted(count, 'access rule')} ${are(count)} broken`,
  UNVERIFIED_SECRETS: (count) => `${counted(count, 'secret')} cannot be verified`,
  VALUES_UNAVAILABLE: (count) => `${counted(count, 'value')} ${are(count)} not available`,
  UNRESOLVED_CREATIONS: (count) => `${counted(count, 'creation')} of an earlier run must be resolved`,
};

/** Why no digest approves a plan, in words: `1 change is blocked`. */
export function notApprovableText({ code, count }: NotApprovable): string {
  return texts[code](count);
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
