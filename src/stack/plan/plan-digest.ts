import type { StackContext } from '../stack-context.ts';
import { hash } from 'node:crypto';
import type { Plan } from '../../model/plan/plan.ts';
import { atOnce, type Sliced } from '../../model/sliced.ts';
import { approvalDigestInSteps, comparableInSteps } from '../../plan/saved/comparable.ts';
import { type SecretDigest, checksumOf, encodeValue } from '../../plan/saved/encoded.ts';
import { createDigester } from '../../state/digest.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { DesiredStack } from '../../model/resource.ts';

/**
 * The digest of a plan that is not saved: the same for the same plan, whoever makes it and with state or without. So
 * the salt of the secrets in it is one that everybody can work out; they are stretched all the same. A saved plan has
 * a salt of its own, which only its file holds. Since anybody can try short values out under a public salt, those of
 * fewer than 16 characters count by their origin alone.
 */
export function planDigest(context: StackContext, config: StackConfig, plan: Plan): string {
  return atOnce(planDigestInSteps(context, config, plan));
}

/** The same in steps of one change. */
export function* planDigestInSteps(
  { version }: StackContext,
  { stack, baseUrl }: StackConfig,
  plan: Plan,
): Sliced<string> {
  // A plan from a snapshot never has the digest of one from the account.
  const from = plan.snapshot === undefined ? [] : ['snapshot'];
  const bound = [`${stack.name}/${stack.id}`, baseUrl, version, ...from];
  const salt = hash('sha256', `sluice plan ${JSON.stringify(bound)}`, 'base64url');
  const stretched = createDigester(salt);
  const digest: SecretDigest = (text, origin) =>
    text.length < 16 ? `short: ${JSON.stringify(origin ?? null)}` : stretched(text);
  return yield* approvalDigestInSteps(yield* comparableInSteps(plan, digest), bound);
}

/** A hash of what manifests describe. A value from outside counts as where it comes from. */
export function manifestsHash({ resources }: DesiredStack, digest: (text: string) => string): string {
  const described = resources.map(({ address, spec, lifecycle }) => [address, { spec, lifecycle }]);
  const encoded = encodeValue(Object.fromEntries(described), (text, origin) =>
    origin === undefined ? digest(text) : '',
  );
  return checksumOf(encoded);
}
