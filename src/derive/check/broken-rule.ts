import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Profile } from '../../kinds/kind.ts';
import type { Finding } from './check-spec.ts';

/** How a broken rule of a kind is reported: if the profile allows only what the API's description contains, any other rule is a warning. */
export function brokenRule(
  { since, message, severity }: Pick<Finding, 'since' | 'message' | 'severity'>,
  profile: Profile,
): Pick<Diagnostic, 'severity' | 'message'> {
  if (severity !== undefined) return { severity, message };
  return since === 'completed' && profile === 'documented'
    ? { severity: 'warning', message: `${message} (the service may refuse the request)` }
    : { severity: 'error', message };
}
