import { ApiError } from '../api/api-errors.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SentRequest } from './send.ts';

/** What the refusal of a request means that was to give up all values of a list: services differ in whether they let the last one go. Any other error as it is. */
export function explainLastValueRefusal(
  { kind, address, body }: Pick<SentRequest, 'kind' | 'address' | 'body'>,
  error: unknown,
): unknown {
  const kept = error instanceof ApiError && error.status === 400 ? emptied(kind, body) : undefined;
  if (kept?.lastValueError === undefined || !(error instanceof ApiError)) return error;
  return new SluiceError(
    kept.lastValueError,
    `${error.message}: this service probably does not allow an empty \`${kept.field}\` on ${address}`,
    {
      cause: error,
      hint: 'keep one value, or delete the resource; to swap values between two resources, apply a temporary value on one of them first',
    },
  );
}

/** The field of which a request leaves nothing, where only one may hold each of its values. */
function emptied(kind: Kind, body: unknown): Kind['unique'][number] | undefined {
  const sent = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  return kind.unique.find(({ field }) => Array.isArray(sent[field]) && (sent[field] as unknown[]).length === 0);
}
