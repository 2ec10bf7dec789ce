import { module, required, secret, setOf, text } from '../fields.ts';
import { textInWords } from '../admitted.ts';
import { notEmpty } from '../checks.ts';
import { oneScope, unusual } from '../lints.ts';
import { webUrl } from '../formats/web-names.ts';
import { session } from './session.ts';

const discoveryPath = /\/\.well-known\/openid-configuration\/?$/;
const discoveryDocument = unusual(
  discoveryPath,
  'the value is the URL of the discovery document, not of the issuer',
  (text) => `write \`${text.replace(discoveryPath, '')}\``,
);

/** Visitors sign in with an OpenID Connect provider. */
export const oidc = module(
  'Requires visitors to sign in with an OpenID Connect provider.',
  {
    issuer: required(
      text('Issuer URL of the provider; the service finds the configuration of the provider below it (discovery).', {
        format: 'url',
        checks: [webUrl],
        lints: [discoveryDocument],
        widensWhen: 'changes',
      }),
    ),
    client_id: required(
      text('Client id of your app at the provider; tokens must have this id as audience.', {
        checks: [notEmpty],
        widensWhen: 'changes',
        examples: ['shop'],
      }),
    ),
    client_secret: required(secret('Client secret of your app at the provider.', { checks: [notEmpty] })),
    scopes: setOf(
      text('A scope.', { lints: [oneScope], examples: ['openid'] }),
      'Scopes to request from the provider.',
    ),
    ...session,
  },
  {
    accessControl: 'authentication',
    optionsExemption: 'options_passthrough',
    admitted: ({ issuer }) => `anyone with an account at ${textInWords(issuer)}`,
    path: { suffix: '/oidc', since: 'completed' },
  },
);
