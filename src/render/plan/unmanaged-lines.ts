import { safeText } from '../../diagnostics/safe-text.ts';
import type { UnmanagedFields, UnmanagedReason } from '../../model/plan/plan.ts';

const words: Readonly<Record<UnmanagedReason, string>> = {
  ignored: 'listed in lifecycle.ignore',
  'unknown-default': 'not set; the default of the service is unknown',
  'not-cleared': 'the service does not clear this field',
  'not-in-profile': 'the API profile does not have this field',
};

/** The unmanaged fields of a change, a line each: `unmanaged: /description (listed in lifecycle.ignore)`. */
export function unmanagedLines(fields: UnmanagedFields): string[] {
  return Object.entries(fields).map(([pointer, reason]) => `unmanaged: ${safeText(pointer)} (${words[reason]})`);
}
