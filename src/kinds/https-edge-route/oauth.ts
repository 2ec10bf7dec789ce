import { exactlyOne, looksLike, lowerCase, needs, notEmpty } from '../checks.ts';
import { count, group, module, required, secret, setOf, text } from '../fields.ts';
import { entriesInWords } from '../admitted.ts';
import type { Check, Fields, Group } from '../kind.ts';
import { oneScope, unusual } from '../lints.ts';
import { isSpecObject, type SpecObject } from '../value.ts';
import { domainName } from '../formats/web-names.ts';
import { session } from './session.ts';

const emailAddress = unusual(/^(?!\S+@[^\s@]+$)|^[@*]/, 'the value is not an e-mail address', (text) => {
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
  'the value is not the name of an organization',
  (text) => `to allow a team, write \`teams: [${text}]\``,
);

const email = text('E-mail address of a user who may sign in.', {
  compare: 'caseless',
  format: 'email',
  checks: [notEmpty, lowerCase],
  lints: [emailAddress],
});
const domain = text('E-mail domain whose users may sign in.', {
  compare: 'caseless',
  format: 'hostname',
  checks: [emailDomain, lowerCase],
});
const team = text('A team, `<org>/<team>`.', {
  compare: 'caseless',
  format: 'team',
  checks: [looksLike(/^[^/\s]+\/[^/\s]+$/, 'a team in the form org/team')],
  lints: [unusual(/^@/, 'the value begins with `@`', (name) => `write \`${name.slice(1)}\``)],
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
      client_id: text('Client id of your own OAuth app; without it, the service uses its own app.', {
        widensWhen: 'changes',
        examples: ['shop'],
      }),
      client_secret: secret('Client secret of your own OAuth app.'),
      scopes: setOf(
        text('A scope.', { lints: [oneScope], examples: ['email'] }),
        'OAuth scopes to request from the provider; only with your own OAuth app.',
      ),
      email_addresses: setOf(email, 'E-mail addresses of the users who may sign in.', {
        unique: 'completed',
        coveredBy: { list: 'email_domains', of: (address) => address.slice(address.lastIndexOf('@') + 1) },
      }),
      email_domains: setOf(domain, 'E-mail domains whose users may sign in.', { unique: 'completed' }),
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
      teams: setOf(team, 'Teams whose members may sign in.', {
        coveredBy: { list: 'organizations', of: (name) => name.replace(/\/.*$/, '') },
      }),
      organizations: setOf(
        text('Organization whose members may sign in.', {
          compare: 'caseless',
          lints: [organizationSlug],
          examples: ['acme'],
        }),
        'Organizations whose members may sign in.',
      ),
    },
    ['teams', 'organizations'],
  ),
};

/** Visitors sign in with an OAuth provider. */
export const oauth = module(
  'Requires visitors to sign in with an OAuth provider.',
  {
    provider: required(
      group('The OAuth provider with which visitors sign in.', providers, {
        rules: [exactlyOne(Object.keys(providers), 'completed')],
      }),
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
  const all = Object.entries(chosen).flatMap(([name, asked]): string[] => {
    if (!isSpecObject(asked)) return [];
    const named = entriesInWords(asked, (Object.hasOwn(providers, name) && providers[name]?.allowLists) || []);
    const label = labels[name] ?? name;
    return [named === '' ? `anyone with a ${label} account` : `${label} accounts: ${named}`];
  });
  return all.join('; or ');
}
