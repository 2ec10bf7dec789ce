import type { SecretOrigin } from '../../kinds/value.ts';
import type { Problem } from './problems.ts';

/** The credentials that sluice itself uses, which no manifest may read as a value. */
export interface OwnCredentials {
  readonly apiKeys: readonly string[];
  /** URLs and secrets of webhooks. */
  readonly others: readonly string[];
}

// A shorter key may stand inside of a text by chance.
const longEnough = 20;

/** Why a value must not be read from a place: it is one of sluice's own credentials, by the name of its variable or by its text. */
export function credentialComplaint(
  origin: SecretOrigin,
  text: string | undefined,
  { apiKeys, others }: OwnCredentials,
): Problem | undefined {
  if ('from_env' in origin && /^SLUICE_(?!VAR_)/i.test(origin.from_env))
    return {
      code: 'CREDENTIAL_AS_VALUE',
      message: `${origin.from_env} is a variable of sluice itself, which manifests cannot read`,
      hint: 'use a variable whose name does not begin with SLUICE_, or begins with SLUICE_VAR_',
    };
  const value = text?.trim();
  if (value === undefined || value === '') return undefined;
  const isOne = [...apiKeys, ...others].includes(value);
  if (!isOne && !holdsApiKey(value, apiKeys)) return undefined;
  return {
    code: 'CREDENTIAL_AS_VALUE',
    message: `the value contains ${isOne && others.includes(value) ? 'a webhook credential' : 'the API key'} of sluice itself`,
    hint: 'give the resource a secret of its own',
  };
}

/** Whether a text is a key of the API, or holds one. */
export function holdsApiKey(text: string, keys: readonly string[]): boolean {
  return keys.some((key) => key !== '' && (text === key || (key.length >= longEnough && text.includes(key))));
}
