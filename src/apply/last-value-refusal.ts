import { ApiError } from '../api/api-errors.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SentRequest } from './send.ts';

/** Explains the refusal of a request that removes all values of a unique list: some services do not allow an empty list. Returns any other error unchanged. */
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

/** The unique list that a request makes empty. */
function emptied(kind: Kind, body: unknown): Kind['unique'][number] | undefined {
  const sent = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  return kind.unique.find(({ field }) => Array.isArray(sent[field]) && (sent[field] as unknown[]).length === 0);
}
