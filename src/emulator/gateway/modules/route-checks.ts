import type { ModuleCheck } from '../module-verdict.ts';
import { addressCheck } from './address-check.ts';
import { signInCheck } from './sign-in-check.ts';
import { signatureCheck } from './signature-check.ts';
import { userAgentCheck } from './user-agent-check.ts';

/** What a route checks, in this order. */
export const routeChecks: readonly (readonly [name: string, check: ModuleCheck])[] = [
  ['ip_restriction', addressCheck],
  ['user_agent_filter', userAgentCheck],
  ['webhook_verification', signatureCheck],
  ['oauth', signInCheck('oauth')],
  ['saml', signInCheck('saml')],
  ['oidc', signInCheck('oidc')],
];
