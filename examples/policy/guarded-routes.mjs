// A policy for plans: every route needs access control.
//   sluice plan --format json | node examples/policy/guarded-routes.mjs
// It reads only `resource_changes`, which has the format of Terraform plans; guarded-routes.rego implements the same policy.
import { text } from 'node:stream/consumers';

const accessControls = ['oauth', 'oidc', 'saml', 'webhook_verification', 'ip_restriction'];

/** The violations of the policy in a plan. */
export function denials({ resource_changes: changes }) {
  return changes
    .filter(({ type, change }) => type === 'HTTPSEdgeRoute' && change.after !== null)
    .filter(({ change }) => change.actions[0] !== 'no-op' && !accessControls.some((control) => isEnabled(change.after[control])))
    .map(({ address }) => `${address}: a route needs one of ${accessControls.join(', ')}`);
}

function isEnabled(control) {
  return control !== undefined && control !== null && control.enabled !== false;
}

if (import.meta.main ?? process.argv[1]?.endsWith('guarded-routes.mjs')) {
  const violations = denials(JSON.parse(await text(process.stdin)));
  for (const denial of violations) console.error(denial);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
