import { isMap, isScalar, isSeq, parseDocument, type Pair } from 'yaml';
import type { Leaf } from '../../kinds/kind.ts';
import { isTooDeep } from '../../kinds/nesting.ts';
import { parseSshPublicKey, holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import type { SecretOrigin } from '../../kinds/value.ts';

/** Variables whose names begin so hold nothing secret. */
export const printablePrefix = 'SLUICE_VAR_';

/** Whether the text of a plain field may be shown: from a variable that is meant to be, or from a file that is plainly text of this field. */
export function isPrintable(origin: SecretOrigin, format: Leaf['format'], text: string): boolean {
  if ('from_env' in origin) return origin.from_env.startsWith(printablePrefix);
  return !holdsPrivateKey(text) && isPlainly(format, text);
}

const certificates = /^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** Whether a text can hardly be anything but what a field of this format takes. */
function isPlainly(format: Leaf['format'], text: string): boolean {
  switch (format) {
    case 'pem':
      return certificates.test(text);
    case 'saml':
      return /^\s*</.test(text) && /<(?:[\w.-]+:)?EntityDescriptor[\s>]/.test(text);
    case 'ssh-public-key':
      return parseSshPublicKey(text) !== undefined;
    case 'policy':
      return hasRules(text);
    default:
      return false;
  }
}

/** Whether a text is rules in lists, each with its actions, and flags beside them. A word is valid YAML as well, and may be a password; other mappings, also in lists, may be the credentials of a service, or its keys. */
function hasRules(text: string): boolean {
  if (text.length > 100_000 || isTooDeep(text)) return false;
  const { contents, errors } = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
  if (errors.length > 0) return false;
  if (!isMap(contents)) return areRules(contents);
  return (contents.items as Pair[]).every(({ value }) => value === null || areRules(value) || isFlag(value));
}

function areRules(node: unknown): boolean {
  return isSeq(node) && node.items.every((rule) => isMap(rule) && isSeq(rule.get('actions')));
}

function isFlag(node: unknown): boolean {
  return isScalar(node) && (node.value === null || typeof node.value === 'boolean');
}
