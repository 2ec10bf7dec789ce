// A policy on plans: every route that serves people proves who they are, and no guard goes without being told so.
//   sluice plan --format json | node examples/policy/guarded-routes.mjs
// It reads `resource_changes` alone, which has the shape of Terraform's plans; guarded-routes.rego decides the same.
import { text } from 'node:stream/consumers';

const guards = ['oauth', 'oidc', 'saml', 'webhook_verification', 'ip_restriction'];

/** What the policy says against a plan, a sentence each. */
export function denials({ resource_changes: changes }) {
  return changes
    .filter(({ type, change }) => type === 'HTTPSEdgeRoute' && change.after !== null)
    .filter(({ change }) => change.actions[0] !== 'no-op' && !guards.some((guard) => isOn(change.after[guard])))
    .map(({ address }) => `${address}: a route needs one of ${guards.join(', ')}`);
}

function isOn(guard) {
  return guard !== undefined && guard !== null && guard.enabled !== false;
}

if (import.meta.main ?? process.argv[1]?.endsWith('guarded-routes.mjs')) {
  const said = denials(JSON.parse(await text(process.stdin)));
  for (const denial of said) console.error(denial);
  process.exitCode = said.length === 0 ? 0 : 1;
}
