import { pointerOf } from '../../derive/pointer.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Match, PlanInput } from '../input.ts';

/** What a secret that nobody can read is seen as. */
const MASK = '********';

/**
 * What the service answered in the place of a secret that we wrote is its way of hiding it, whatever it looks like
 * (decisions/0035). It is a mask from here on, so that nothing takes it for the secret and sends it back.
 */
export function withMaskedSecrets(pair: Match, digest: PlanInput['digest']): Match {
  const { actual, entry } = pair;
  const returned = entry?.returnedSecrets ?? {};
  if (actual === undefined || Object.keys(returned).length === 0) return pair;
  const masked = (value: SpecValue, path: Path): SpecValue => {
    if (value instanceof Secret) return returned[pointerOf(path)] === digest(value.reveal()) ? new Secret(MASK) : value;
    return isSpecObject(value) ? inside(value, path) : value;
  };
  const inside = (spec: SpecObject, path: Path): SpecObject =>
    Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, masked(value, [...path, name])]));
  return { ...pair, actual: { ...actual, spec: inside(actual.spec, []) } };
}
