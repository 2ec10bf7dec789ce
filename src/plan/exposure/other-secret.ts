import type { SecretForm } from '../../derive/canonical.ts';
import { isMask } from '../../derive/mask.ts';
import { isSpecObject, Secret, type SpecValue } from '../../kinds/value.ts';

/** Whether two secrets are known to differ. One of them may come from state, which has digests. */
export function isOtherSecret(old: SpecValue, young: SpecValue, form: SecretForm): boolean {
  const [before, after] = [old, young].map((value) =>
    value instanceof Secret ? knownForm(value, form) : rememberedDigest(value),
  );
  return before !== undefined && after !== undefined && before !== after;
}

/** Whether a value is a secret whose text or digest is known: a service may mask it, or leave its text out. */
export function isKnownSecret(value: SpecValue): boolean {
  return value instanceof Secret ? isReadable(value) : rememberedDigest(value) !== undefined;
}

function knownForm(secret: Secret, form: SecretForm): string | undefined {
  return isReadable(secret) ? form(secret.reveal()) : undefined;
}

function isReadable(secret: Secret): boolean {
  return !isMask(secret.reveal());
}

/** The digest of a secret in state; undefined for any other value. */
export function rememberedDigest(value: SpecValue): string | undefined {
  return isSpecObject(value) && typeof value['secret'] === 'string' ? value['secret'] : undefined;
}
