import { createHash } from 'node:crypto';
import type { Plan } from '../model/plan.ts';
import { comparable, digestOf } from '../plan/comparable.ts';
import type { SecretDigest } from '../plan/encoded.ts';
import { createDigester } from '../state/digest.ts';
import type { Context } from './context.ts';
import type { OpenStack } from './open-stack.ts';

/**
 * The digest of a plan that is not saved: the same for the same plan, whoever makes it and with state or without. So
 * the salt of the secrets in it is one that everybody can work out; they are stretched all the same. A saved plan has
 * a salt of its own, which only its file holds. Since anybody can try short values out under a public salt, those of
 * fewer than 16 characters count by their origin alone.
 */
export function planDigest({ version }: Context, { stack, baseUrl }: OpenStack, plan: Plan): string {
  const bound = [`${stack.name}/${stack.id}`, baseUrl, version];
  const salt = createHash('sha256')
    .update(`sluice plan ${JSON.stringify(bound)}`)
    .digest('base64url');
  const stretched = createDigester(salt);
  const digest: SecretDigest = (text, origin) =>
    text.length < 16 ? `short: ${JSON.stringify(origin ?? null)}` : stretched(text);
  return digestOf(comparable(plan, digest), bound);
}
