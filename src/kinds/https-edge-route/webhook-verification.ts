import { module, required, secret, text } from '../fields.ts';
import { isUnset, notEmpty } from '../checks.ts';
import { textInWords } from '../admitted.ts';
import type { Rule } from '../kind.ts';
import { knownWord } from '../lints.ts';

/** Providers that public clients of such services list. A service may know others. */
const providers = [
  ...['aftership', 'airship', 'autodesk', 'bitbucket', 'bolt', 'box', 'brex', 'buildkite', 'calendly', 'castle'],
  ...['chargify', 'circleci', 'clearbit', 'clerk', 'coinbase', 'contentful', 'docusign', 'dropbox'],
  ...['facebook_graph_api', 'facebook_messenger', 'frameio', 'github', 'gitlab', 'go1', 'graphcms', 'heroku'],
  ...['hostedhooks', 'hubspot', 'instagram', 'intercom', 'launch_darkly', 'mailchimp', 'mailgun', 'microsoft_teams'],
  ...['modern_treasury', 'mongodb', 'mux', 'orbit', 'pagerduty', 'pinwheel', 'plivo', 'pusher', 'sendgrid', 'sentry'],
  ...['shopify', 'signal_sciences', 'slack', 'sns', 'sonatype', 'square', 'stripe', 'svix', 'terraform', 'tiktok'],
  ...['trendmicro_conformity', 'twilio', 'twitter', 'typeform', 'vmware', 'webex', 'whatsapp', 'worldline', 'xero'],
  ...['zendesk', 'zoom'],
];

const secretUnlessSns: Rule = {
  code: 'MISSING_WEBHOOK_SECRET',
  since: 'described',
  check: ({ provider, secret }) =>
    typeof provider === 'string' && provider.toLowerCase() !== 'sns' && isUnset(secret)
      ? [
          {
            path: [],
            message: `\`secret\` is required for the provider ${JSON.stringify(provider)}`,
            hint: 'set the secret from an environment variable: secret: {from_env: WEBHOOK_SECRET}',
          },
        ]
      : [],
};

/** Only requests signed by a webhook provider. */
export const webhookVerification = module(
  'Allows only requests that a webhook provider has signed.',
  {
    provider: required(
      text('Webhook provider that signs the requests.', {
        compare: 'caseless',
        checks: [notEmpty],
        lints: [knownWord('webhook provider', providers)],
        examples: ['github', 'slack', 'stripe'],
        widensWhen: 'changes',
        identifies: true,
      }),
    ),
    secret: secret('Secret with which the provider signs requests; required for every provider except sns.', {
      presented: true,
    }),
  },
  {
    accessControl: 'signature',
    admitted: ({ provider }) => textInWords(provider),
    rules: [secretUnlessSns],
    path: { suffix: '/webhook_verification', since: 'described' },
  },
);
