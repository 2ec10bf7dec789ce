/*
 * A snapshot has neither secrets nor values from outside. Where one is, in the manifests, the account or state, the same
 * text takes its place, so that a plan finds no difference that it cannot know.
 */
import { createHash } from 'node:crypto';
import { withLeaves } from '../../kinds/leaves.ts';
import { someInside } from '../../kinds/leaves.ts';
import { OutsideValue, Secret, type SecretOrigin, type SpecValue } from '../../kinds/value.ts';
import type { StateValue } from '../../model/state.ts';
import { isDigest, originInState } from '../stored/from-state.ts';

/** The text in place of a value: one for all secrets, and one for each source of other values. No spelling changes it. */
export function hiddenText(origin?: SecretOrigin): string {
  if (origin === undefined) return 'hidden';
  const hash = createHash('sha256').update(JSON.stringify(origin)).digest('hex').slice(0, 24);
  return `hidden${hash.replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))}`;
}

/** A value without its secrets. */
export function hideSecrets(value: SpecValue): SpecValue {
  return withLeaves(value, (leaf) =>
    leaf instanceof Secret ? hiddenValue(leaf instanceof OutsideValue, leaf.origin) : leaf,
  );
}

/** What takes the place of a secret, or of a value from outside. */
export function hiddenValue(isOutside: boolean, origin: SecretOrigin | undefined): Secret {
  return isOutside
    ? new OutsideValue(hiddenText(origin ?? { from_env: '' }), origin)
    : new Secret(hiddenText(), origin);
}

/** State, or a part of it, whose digests are of the hidden texts. */
export function hideDigests<T>(value: T, digest: (text: string) => string): T {
  return hidden(value) as T;

  function hidden(given: unknown): unknown {
    if (Array.isArray(given)) return given.map(hidden);
    if (typeof given !== 'object' || given === null) return given;
    if (isDigest(given)) return { ...given, secret: digest(hiddenText(originInState(given))) };
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [name, hidden(item)]));
  }
}

/** Whether a value of state has a digest in it. */
export function holdsDigest(value: StateValue | undefined): boolean {
  return someInside(value, isDigest);
}
