import { durationText } from '../../derive/duration.ts';
import { bodyOf } from '../../derive/wire/to-wire.ts';
import { holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { PlannedRequest } from '../../model/plan/plan.ts';

/** What stands for the nonce of a marker until apply draws it. */
const nonceToDraw = '(generated at apply)';

/** The body of a planned request as it may be shown: secrets as `mask` returns, ids not known yet as `{Kind/name}`, values as `{Kind/name.field}`. */
export function shownBody(request: PlannedRequest, mask: (secret?: Secret) => SpecValue): object | undefined {
  if (request.body === undefined) return undefined;
  const { marker, ...rest } = request;
  // Metadata that is masked is shown without the marker that is put into it.
  const isMasked = marker !== undefined && request.body[marker.field] instanceof Secret;
  const body = bodyOf(
    { ...(isMasked ? rest : request), body: masked(request.body, mask) as SpecObject },
    {
      idOf: (address) => `{${address}}`,
      nonce: nonceToDraw,
      endOf: (seconds) => `(${durationText(seconds)} after apply)`,
    },
  );
  return body as object;
}

function masked(value: SpecValue, mask: (secret?: Secret) => SpecValue): SpecValue {
  if (value instanceof Secret) return mask(value);
  if (value instanceof Ref && value.field !== undefined) return `{${value.to}.${value.field}}`;
  if (typeof value === 'string' && holdsPrivateKey(value)) return mask();
  if (Array.isArray(value)) return value.map((item) => masked(item as SpecValue, mask));
  if (!isSpecObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, mask)]));
}
