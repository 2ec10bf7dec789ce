import { count, flag, text } from '../fields.ts';

/** What oauth, oidc and saml share: the session a visitor gets after signing in. */
export const session = {
  options_passthrough: {
    ...flag('True: HTTP OPTIONS requests need no authentication, as CORS requires.'),
    widensWhen: 'turned-on',
  },
  cookie_prefix: text('Prefix of the name of the session cookie.', { default: 'svc.', alsoUnset: [''] }),
  inactivity_timeout: count(
    'Seconds of inactivity after which the session of a visitor ends; 0 means the default of the service.',
    { examples: [3600], widensWhen: 'raised' },
  ),
  maximum_duration: count(
    'Seconds after which the session of a visitor always ends; 0 means the default of the service.',
    { examples: [86400], widensWhen: 'raised' },
  ),
} as const;
