import { module, required, secret, text } from '../fields.ts';
import { isUnset, notEmpty } from '../checks.ts';
import type { Rule } from '../kind.ts';

const secretUnlessSns: Rule = {
  code: 'MISSING_WEBHOOK_SECRET',
  since: 'described',
  check: ({ provider, secret }) =>
    typeof provider === 'string' && provider.toLowerCase() !== 'sns' && isUnset(secret)
      ? [
          {
            path: [],
            message: `the provider ${JSON.stringify(provider)} needs a \`secret\``,
            hint: 'take it from the environment: secret: {from_env: WEBHOOK_SECRET}',
          },
        ]
      : [],
};

/** Only requests signed by a webhook provider. */
export const webhookVerification = module(
  'Only requests that a webhook provider has signed.',
  {
    provider: required(
      text('Who signs.', { compare: 'caseless', checks: [notEmpty], opens: 'changes', identifies: true }),
    ),
    secret: secret('The key the provider signs with; every provider but sns needs one.'),
  },
  {
    accessControl: 'signature',
    rules: [secretUnlessSns],
    path: { suffix: '/webhook_verification', since: 'described' },
  },
);
