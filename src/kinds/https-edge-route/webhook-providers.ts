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

/** Warns about a provider of webhooks that no public list names. */
export const knownWebhookProvider = knownWord('webhook provider', providers);
