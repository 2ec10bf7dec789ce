import { exactlyOne, looksLike, lowerCase, needs, notEmpty } from '../checks.ts';
import { count, group, module, required, secret, setOf, text } from '../fields.ts';
import { entriesInWords } from '../admitted.ts';
import type { Check, Fields, Group } from '../kind.ts';
import { oneScope, unusual } from '../lints.ts';
import { isSpecObject, type SpecObject } from '../value.ts';
import { domainName } from '../formats/web-names.ts';
import { session } from './session.ts';

const emailAddress = unusual(/^(?!\S+@[^\s@]+$)|^[@*]/, 'is not an e-mail address', (text) => {
  const domain = text.replace(/^\*?@/, '');
  return domainName.test(domain) === undefined
    ? `to allow every address of the domain, write \`email_domains: [${domain}]\``
    : 'write a whole address, such as ana@example.com';
});
const emailDomain: Check = {
  ...domainName,
  hint: (text) => {
    const domain = text.slice(text.lastIndexOf('@') + 1);
    if (domain === text) return domainName.hint?.(text);
    return text.startsWith('@')
      ? `write \`${domain}\``
      : `write \`${domain}\` to allow the whole domain, or list the address in \`email_addresses\``;
  },
};
const organizationSlug = unusual(
  /\//,
  'is not the name of an organization',
  (text) => `to allow a team, write \`teams: [${text}]\``,
);

const email = text('An e-mail address.', {
  compare: 'caseless',
  format: 'email',
  checks: [notEmpty, lowerCase],
  lints: [emailAddress],
});
const domain = text('An e-mail domain.', { compare: 'caseless', format: 'hostname', checks: [emailDomain, lowerCase] });
const team = text('A team, `<org>/<team>`.', {
  compare: 'caseless',
  format: 'team',
  checks: [looksLike(/^[^/\s]+\/[^/\s]+$/, 'in the form org/team')],
  lints: [unusual(/^@/, 'begins with `@`', (name) => `write \`${name.slice(1)}\``)],
});

const labels: Readonly<Record<string, string>> = {
  github: 'GitHub',
  facebook: 'Facebook',
  microsoft: 'Microsoft',
  google: 'Google',
  linkedin: 'LinkedIn',
  gitlab: 'GitLab',
  twitch: 'Twitch',
  amazon: 'Amazon',
};

/** One identity provider; its app is the service's own unless client_id and client_secret are given. */
function provider(name: string, more: Fields = {}, allowLists: readonly string[] = []): Group {
  return group(
    `Sign in with ${labels[name] ?? ''}.`,
    {
      client_id: text('Client id of your own OAuth app; by default the service uses its own app.', {
        widensWhen: 'changes',
        examples: ['shop'],
      }),
      client_secret: secret('Client secret of your own OAuth app.'),
      scopes: setOf(
        text('A scope.', { lints: [oneScope], examples: ['email'] }),
        'Scopes to request; only with your own OAuth app.',
      ),
      email_addresses: setOf(email, 'Allowed e-mail addresses.', { unique: 'completed' }),
      email_domains: setOf(domain, 'Allowed e-mail domains.', { unique: 'completed' }),
      ...more,
    },
    {
      allowLists: ['email_addresses', 'email_domains', ...allowLists],
      rules: [
        needs('client_id', ['client_secret'], 'described'),
        needs('client_secret', ['client_id'], 'completed'),
        needs('scopes', ['client_id', 'client_secret'], 'described'),
      ],
    },
  );
}

const providers: Readonly<Record<string, Group>> = {
  ...Object.fromEntries(Object.keys(labels).map((name) => [name, provider(name)])),
  github: provider(
    'github',
    {
      teams: setOf(team, 'Teams whose members are allowed.'),
      organizations: setOf(
        text('An organization.', { compare: 'caseless', lints: [organizationSlug], examples: ['acme'] }),
        'Organizations whose members are allowed.',
      ),
    },
    ['teams', 'organizations'],
  ),
};

/** Visitors sign in with an OAuth provider. */
export const oauth = module(
  'Visitors sign in with an OAuth provider.',
  {
    provider: required(
      group('The OAuth provider.', providers, { rules: [exactlyOne(Object.keys(providers), 'completed')] }),
    ),
    ...session,
    auth_check_interval: count(
      'Seconds between checks of a signed-in user at the identity provider; 0 means the default of the service.',
      { examples: [600], widensWhen: 'raised' },
    ),
  },
  {
    accessControl: 'authentication',
    optionsExemption: 'options_passthrough',
    admitted: ({ provider }) => visitorsOf(isSpecObject(provider) ? provider : {}),
    path: { suffix: '/oauth', since: 'completed' },
  },
);

function visitorsOf(chosen: SpecObject): string {
  const [name = ''] = Object.keys(chosen).filter((key) => isSpecObject(chosen[key]));
  const asked = chosen[name];
  const field = Object.hasOwn(providers, name) ? providers[name] : undefined;
  const named = isSpecObject(asked) ? entriesInWords(asked, field?.allowLists ?? []) : '';
  const label = labels[name] ?? name;
  return named === '' ? `anyone with a ${label} account` : `${label} accounts: ${named}`;
}
