import type { SecretOrigin } from '../../kinds/value.ts';
import { isWrittenObject, type Written } from '../read/written.ts';
import type { ManifestProblem } from './problems.ts';

/** The credentials that sluice itself uses, which no manifest may read as a value. */
export interface OwnCredentials {
  readonly apiKeys: readonly string[];
  /** URLs and secrets of webhooks, the URL of a state store, and tokens for comments. */
  readonly others: readonly string[];
}

/** Whether a text that contains a key is refused as well: a shorter one may be part of a text by chance. */
export function isLongKey(key: string): boolean {
  return key.length >= 20;
}

/** Why a value must not be read from a place: it is one of sluice's own credentials, by the name of its variable or by its text. */
export function credentialComplaint(
  origin: SecretOrigin,
  text: string | undefined,
  credentials: OwnCredentials,
): ManifestProblem | undefined {
  if ('from_env' in origin && /^SLUICE_(?!VAR_)/i.test(origin.from_env))
    return {
      code: 'CREDENTIAL_AS_VALUE',
      message: `the environment variable ${origin.from_env} is reserved for sluice and cannot be used in manifests`,
      hint: 'use an environment variable whose name begins with SLUICE_VAR_, or does not begin with SLUICE_',
    };
  return text === undefined ? undefined : credentialInText(text, credentials);
}

/** Why a text must not be a value: it is, or contains, a credential of sluice itself. */
export function credentialInText(text: string, { apiKeys, others }: OwnCredentials): ManifestProblem | undefined {
  const value = text.trim();
  if (value === '') return undefined;
  const isOne = [...apiKeys, ...others].includes(value);
  if (!isOne && !holdsApiKey(value, apiKeys)) return undefined;
  return {
    code: 'CREDENTIAL_AS_VALUE',
    message: `the value contains ${isOne && others.includes(value) ? 'a credential' : 'the API key'} of sluice itself`,
    hint: 'use a separate secret for the resource',
  };
}

/** Whether a text is a key of the API, or contains one. */
export function holdsApiKey(text: string, keys: readonly string[]): boolean {
  for (const key of keys)
    // Nearly every text is shorter than a key.
    if (text.length >= key.length && key !== '' && (text === key || (isLongKey(key) && text.includes(key))))
      return true;
  return false;
}

/** Where something written holds the key of the API: the names that lead there, without any that is the key itself. */
export function apiKeyIn(value: Written, keys: readonly string[]): string | undefined {
  return keys.length === 0 ? undefined : namesTo(value, keys)?.join('.');
}

function namesTo(value: Written, keys: readonly string[]): readonly string[] | undefined {
  if (typeof value === 'string') return holdsApiKey(value, keys) ? [] : undefined;
  if (!Array.isArray(value) && !isWrittenObject(value)) return undefined;
  const inside = value as Readonly<Record<string, Written>>;
  if (!Array.isArray(value)) for (const name in inside) if (holdsApiKey(name, keys)) return [];
  for (const name in inside) {
    const found = namesTo(inside[name] ?? null, keys);
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}
