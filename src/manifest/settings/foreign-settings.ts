import type { Path } from '../../kinds/value.ts';

/** What to write in place of a setting that other tools have, or that a neighbouring block has. */
export function foreignSetting(path: Path, key: string): string | undefined {
  const hints = blocks[path.filter((step) => typeof step === 'string').join('.')];
  return hints !== undefined && Object.hasOwn(hints, key) ? hints[key] : undefined;
}

const toUrls = 'write the URLs in `urls`, such as urls: ["*.example.com/admin*"]';
const toUrl = 'write the URL in `url`, such as url: demo.example.com/admin; each exception has one URL';
const toRequire = 'write the requirements in `require`, such as require: [named_users]';
const toPublic = 'write URLs that anyone may reach in `access.public`';
const toExceptions =
  'write exceptions in `access.exceptions`: {rule: NAME, url: demo.example.com/admin, reason: WHY, until: 2027-01-31}';
const toRules = 'write a rule in `access.rules`: {name: NAME, urls: ["*.example.com/admin*"], require: [named_users]}';
const toUntil = 'write the last day of the exception in `until`, such as until: 2027-01-31';

// By block: words of firewalls, ingress controllers and policy engines, and of the block beside it.
const blocks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access: {
    ...each(['allow', 'allowed', 'open', 'anonymous', 'whitelist', 'allowlist'], toPublic),
    ...each(['except', 'exclude', 'excludes', 'ignore', 'skip', 'unless', 'exemptions'], toExceptions),
    ...each(['deny', 'denied', 'protect', 'protected', 'private', 'restrict', 'policies', 'policy'], toRules),
    ...each(['hosts', 'paths', 'urls', 'require'], toRules),
  },
  'access.rules': {
    ...each(['host', 'hosts', 'hostnames', 'domains', 'path', 'paths', 'match', 'url', 'resources'], toUrls),
    ...each(['except', 'exclude', 'excludes', 'ignore', 'skip', 'unless', 'exceptions'], toExceptions),
    ...each(['deny', 'action', 'effect', 'auth', 'authentication', 'must', 'ask', 'users', 'groups'], toRequire),
    ...each(['allow', 'public'], `${toPublic}; ${toRequire}`),
    ...each(
      ['methods', 'method', 'verbs'],
      'write the methods to which the rule does not apply in `except_methods`, such as except_methods: [OPTIONS]',
    ),
  },
  'access.exceptions': {
    ...each(['host', 'hosts', 'path', 'paths', 'match', 'urls'], toUrl),
    ...each(['rules', 'name', 'policy'], 'write the name of the access rule in `rule`'),
    ...each(
      ['why', 'because', 'comment', 'description', 'justification'],
      'write the reason of the exception in `reason`',
    ),
    ...each(['expires', 'expiry', 'expires_at', 'end', 'ends', 'date'], toUntil),
  },
};

function each(keys: readonly string[], hint: string): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, hint]));
}
