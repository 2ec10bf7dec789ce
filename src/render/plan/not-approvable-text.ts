import { counted } from '../../diagnostics/counted.ts';
import type { NotApprovable } from '../../plan/why-not-approvable.ts';

/** Why no digest approves a plan, in words: `1 change is blocked`. */
export function notApprovableText({ code, count }: NotApprovable): string {
  switch (code) {
    case 'FROM_SNAPSHOT':
      return 'the plan was made from a snapshot';
    case 'TARGETED':
      return 'the plan is a targeted plan';
    case 'BLOCKED':
      return `${counted(count, 'change')} ${are(count)} blocked`;
    case 'ACCESS_RULE_BROKEN':
      return `${counted(count, 'access rule')} ${are(count)} broken`;
    case 'UNVERIFIED_SECRETS':
      return `${counted(count, 'secret')} cannot be verified`;
    case 'VALUES_UNAVAILABLE':
      return `${counted(count, 'value')} ${are(count)} not available`;
    case 'UNRESOLVED_CREATIONS':
      return `${counted(count, 'creation')} of an earlier run must be resolved`;
  }
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
