import { X509Certificate } from 'node:crypto';
import type { Check, Problem, Provenance, Rule } from './kind.ts';
import { isSpecObject, Secret, type SpecObject, type SpecValue } from './value.ts';

/** At most so many bytes of UTF-8, or Unicode code points (Limits). */
export function withinLength(max: number, unit: 'bytes' | 'characters'): Check {
  return {
    code: 'TOO_LONG',
    since: 'described',
    test: (value) => {
      const text = String(value);
      // No text has more characters than its length, nor more bytes than three times that.
      if (text.length * (unit === 'bytes' ? 3 : 1) <= max) return undefined;
      const length = unit === 'bytes' ? Buffer.byteLength(text) : Array.from(text).length;
      return length > max ? `is ${String(length)} ${unit} long; the limit is ${String(max)} ${unit}` : undefined;
    },
  };
}

/** Text of a certain form, named in words, and of at most so many characters. The pattern has no flag but `u`, so that a schema can hold it. */
export function looksLike(
  pattern: RegExp,
  form: string,
  {
    code = 'INVALID_FORMAT',
    most,
    hint,
  }: { readonly code?: string; readonly most?: number; readonly hint?: Check['hint'] } = {},
): Check {
  return {
    code,
    since: 'completed',
    schema: { pattern: pattern.source.replaceAll('\\/', '/'), ...(most === undefined ? {} : { maxLength: most }) },
    test: (value) => {
      const text = String(value);
      return text.length <= (most ?? Infinity) && pattern.test(text) ? undefined : `must be ${form}`;
    },
    ...(hint === undefined ? {} : { hint }),
  };
}

/** A number above zero. */
export const positive: Check = {
  code: 'OUT_OF_RANGE',
  since: 'completed',
  schema: { exclusiveMinimum: 0 },
  test: (value) => (Number(value) > 0 ? undefined : 'must be greater than 0'),
};

/** Text without capitals. */
export const lowerCase: Check = {
  code: 'INVALID_FORMAT',
  since: 'completed',
  schema: { pattern: '^[^A-Z]*$' },
  test: (value) => (String(value) === String(value).toLowerCase() ? undefined : 'must be lower case'),
};

/** Text that is not empty. */
export const notEmpty: Check = {
  code: 'EMPTY_VALUE',
  since: 'completed',
  schema: { minLength: 1 },
  test: (value) => (String(value).length > 0 ? undefined : 'must not be empty'),
};

/** A regular expression that compiles, in this dialect or with the inline flags and group names of RE2. */
export const regularExpression: Check = {
  code: 'INVALID_REGEX',
  since: 'completed',
  test: (value) => {
    try {
      new RegExp(
        String(value)
          .replaceAll(/\(\?[imsU-]+\)/g, '')
          .replaceAll(/\(\?[imsU-]+:/g, '(?:')
          .replaceAll('(?P<', '(?<'),
      );
      return undefined;
    } catch {
      return 'must be a regular expression';
    }
  },
};

const pemBlock = /^-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?$/gm;

/** Exactly one PEM block of type CERTIFICATE that is a CA . */
export const caCertificate: Check = {
  code: 'INVALID_CA_CERTIFICATE',
  since: 'completed',
  test: (value) => {
    const types = [...String(value).matchAll(pemBlock)].map((block) => block[1]);
    if (types.some((type) => type?.endsWith('PRIVATE KEY')))
      return 'contains a private key; write only the certificate, and treat the key as leaked if it was committed';
    if (types.length !== 1 || types[0] !== 'CERTIFICATE')
      return `must be exactly one PEM block of type CERTIFICATE (found ${types.length === 0 ? 'none' : types.join(', ')})`;
    try {
      return new X509Certificate(String(value)).ca ? undefined : 'is not a CA certificate (CA:TRUE is missing)';
    } catch {
      return 'contains a PEM block that is not a valid certificate';
    }
  },
};

/** Both fields or neither: one without the other is refused. */
export function needs(field: string, others: readonly string[], since: Provenance): Rule {
  return {
    code: 'REQUIRES_OTHER_FIELD',
    since,
    check: (group) => {
      if (isUnset(group[field])) return [];
      const missing = others.filter((other) => isUnset(group[other]));
      const message = `\`${field}\` requires ${missing.map((name) => `\`${name}\``).join(' and ')}`;
      return missing.length === 0 ? [] : [{ path: [field], message }];
    },
  };
}

/** Exactly one of the group's fields. */
export function exactlyOne(of: readonly string[], since: Provenance): Rule {
  return {
    code: 'EXACTLY_ONE_REQUIRED',
    since,
    check: (group) => {
      const set = of.filter((name) => !isUnset(group[name]));
      const [first, second] = set;
      if (first === undefined)
        return [{ path: [], message: `exactly one of ${of.join(', ')} is required; none is set` }];
      if (second === undefined) return [];
      return [{ path: [second], message: `exactly one of ${of.join(', ')} is allowed; ${set.join(', ')} are set` }];
    },
  };
}

/** At most one of these modules may be switched on. */
export function atMostOneEnabled(of: readonly string[], since: Provenance): Rule {
  return {
    code: 'CONFLICTING_MODULES',
    since,
    check: (group) => {
      const [first, ...others] = of.filter((name) => isEnabled(group[name]));
      return others.map((name): Problem => ({
        path: [name],
        message: `\`${name}\` cannot be enabled together with \`${String(first)}\`: only one of ${of.join(', ')} is allowed`,
      }));
    },
  };
}

/** Whether a field counts as not set: absent, null, empty text (a secret's too) or an empty list. */
export function isUnset(value: SpecValue | undefined): boolean {
  if (value instanceof Secret) return value.reveal() === '';
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether a module is there and not switched off. */
export function isEnabled(module: SpecValue | undefined): module is SpecObject {
  return isSpecObject(module) && module['enabled'] !== false;
}
