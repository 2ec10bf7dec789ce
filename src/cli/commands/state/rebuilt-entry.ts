import { maskOutside } from '../../../derive/mask-outside.ts';
import { toState } from '../../../derive/to-state.ts';
import { kinds } from '../../../kinds/index.ts';
import { isSpecObject, OutsideValue, Secret, type SpecObject } from '../../../kinds/value.ts';
import type { Actual } from '../../../model/actual.ts';
import type { Desired } from '../../../model/resource.ts';
import type { Entry } from '../../../model/state.ts';

/**
 * What is remembered of a resource that was found again. Of its fields, those that the manifest sets, as the service
 * has them, values from outside as digests: of the others nobody knows who set them. Secrets are left out: what an answer shows of one proves nothing.
 */
export function rebuiltEntry(
  { kind, id, parent, spec, marker }: Actual,
  desired: Desired | undefined,
  digest: (text: string) => string,
): Entry {
  const fields = kinds.named(kind)?.fields ?? {};
  const wanted = desired?.spec ?? {};
  const isProtected = marker?.p.includes('p') ?? kinds.named(kind)?.protectedBecause !== undefined;
  return {
    kind,
    id,
    ...(parent === undefined ? {} : { parent }),
    spec: toState(fields, sharedWith(maskOutside(fields, spec, wanted), wanted), digest),
    protect: isProtected || desired?.lifecycle.protect === true,
    retain: marker?.p.includes('r') === true,
    ...(marker === undefined || marker.n === '' ? {} : { nonce: marker.n }),
  };
}

function sharedWith(actual: SpecObject, desired: SpecObject): SpecObject {
  return Object.fromEntries(
    Object.entries(actual).flatMap(([name, value]): [string, SpecObject[string]][] => {
      const wanted = desired[name];
      if (wanted === undefined || wanted === null || holdsSecret(value)) return [];
      return [[name, isSpecObject(value) && isSpecObject(wanted) ? sharedWith(value, wanted) : value]];
    }),
  );
}

// Groups are gone through above; a list with a secret anywhere in it is left out whole.
function holdsSecret(value: SpecObject[string]): boolean {
  if (value instanceof Secret) return !(value instanceof OutsideValue);
  if (!Array.isArray(value)) return false;
  return value.some(
    (item: SpecObject[string]) => holdsSecret(item) || (isSpecObject(item) && Object.values(item).some(holdsSecret)),
  );
}
