import * as z from 'zod';
import { setting } from './setting-forms.ts';
import { requirements } from '../../model/exposure/access-rules.ts';

const text = z.string().min(1, 'must not be empty');

// A host may begin with `*.`, a path may end with `*`; a port is optional.
const publicUrl = z
  .string()
  .regex(
    /^(\*|(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)(:[0-9]{1,5})?(\/[^\s*…]*\*?)?$/,
    'must be a host with a path, without https://, such as www.example.com/* or *.example.com/status',
  );

const ruleName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/, 'must be a DNS label: lower-case letters, digits and inner hyphens')
  .refine((name) => name !== 'public', 'must not be `public`, which is reserved for `access.public`');

const aRule = { name: 'admin', urls: ['*.example.com/admin*'], require: ['named_users' as const] };
const anException = { rule: 'admin', url: 'demo.example.com/admin', reason: 'trade fair', until: '2027-01-31' };

const rule = z.strictObject({
  name: setting(ruleName, 'Name of the access rule.', aRule.name),
  urls: setting(
    z.array(publicUrl).min(1, 'must not be empty'),
    'URLs to which the access rule applies, such as *.example.com/admin*.',
    aRule.urls,
  ),
  require: setting(
    z.array(z.enum(requirements)).min(1, 'must not be empty'),
    'What every request to these URLs must have, such as `named_users`: authentication that lists the allowed users.',
    aRule.require,
  ),
  except_methods: setting(
    z.array(z.string().regex(/^[A-Z]+$/, 'must be an HTTP method in upper case, such as OPTIONS')).default([]),
    'HTTP methods to which the access rule does not apply, such as OPTIONS.',
    ['OPTIONS'],
  ),
});

const date = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a date, such as 2027-01-31')
  .refine(isDay, 'must be a date, such as 2027-01-31');

/** February 30 is read as March 2. */
function isDay(written: string): boolean {
  const time = Date.parse(written);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written);
}

const exception = z.strictObject({
  rule: setting(ruleName, 'Name of the access rule to which the exception applies.', anException.rule),
  url: setting(publicUrl, 'URL to which the access rule does not apply until the date in `until`.', anException.url),
  reason: setting(text, 'Why.', anException.reason),
  until: setting(date, 'The last day of the exception, in UTC.', anException.until),
});

/** The access policy of a stack, or of its operator. */
export const accessSchema = z.strictObject({
  public: setting(
    z.array(publicUrl).optional(),
    'URLs that are meant to be public, such as www.example.com/*; all other URLs must have access control.',
    ['www.example.com/*', '*.example.com/status'],
  ),
  rules: setting(
    z.array(rule).default([]),
    'Access rules: the access control that requests to certain URLs must pass.',
    [aRule],
  ),
  exceptions: setting(
    z.array(exception).default([]),
    'Exceptions: URLs to which an access rule does not apply until a date.',
    [anException],
  ),
  strict: setting(
    z.boolean().default(false),
    'True: sluice also treats an access rule as broken if it cannot verify that all requests satisfy the rule.',
    true,
  ),
});

/** An access policy with its defaults filled in. */
export type AccessSettings = z.infer<typeof accessSchema>;
