import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import {
  afterLoss,
  AmbiguousAnswer,
  ApiError,
  EarlierAttemptLost,
  isNotFound,
  mayHaveHappened,
} from '../api/api-errors.ts';
import { isTransient, retryDelay, usualPatienceMs } from '../api/retry.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Kind, Provenance, KindSet } from '../kinds/kind.ts';
import { untilDeleted } from './deletion.ts';
import { explainLastValueRefusal } from './last-value-refusal.ts';
import type { JsonObject } from '../model/json-object.ts';
import { readThere } from './read-live.ts';
import type { WriteMethod } from '../model/plan/plan.ts';

/** A request that changes or deletes an existing resource. */
export interface SentRequest {
  readonly method: Exclude<WriteMethod, 'POST'>;
  readonly path: string;
  readonly body?: unknown;
  readonly secrets: readonly string[];
  /** The resource, for finding out what a 404 means. */
  readonly address: string;
  readonly kind: Kind;
  readonly id: string;
  readonly parent: string | undefined;
  /** The module that it writes or removes; undefined: it changes the resource itself. */
  readonly module: string | undefined;
  /** Whether it deletes the resource itself, and not only a module of it. */
  readonly isEnd: boolean;
  /** The source of the knowledge that the service offers the operation. */
  readonly since: Provenance | undefined;
}

/** The service does not have an operation that the profile requires. */
export class OperationNotOffered extends SluiceError {
  constructor(cause: ApiError) {
    super('OPERATION_NOT_SUPPORTED', `${cause.message}: this service does not support the operation`, {
      cause,
      hint: 'set `api.profile: documented` in sluice.yaml, so that sluice uses only documented operations',
    });
  }
}

/** What sending needs. */
export interface SendOptions {
  readonly client: Pick<Client, 'get' | 'write'>;
  readonly kinds: KindSet;
  readonly clock: Clock;
  /** How long a request may still be carried out after its caller gave up, in milliseconds. */
  readonly lookUpDelayMs: number;
  /** Ends the waiting before a request is sent again. */
  readonly signal?: AbortSignal | undefined;
}

const mostTries = 5;

/** Sends a request to an existing resource. A PATCH whose answer was lost is sent again after a read shows that the resource still exists. */
export async function sendOnce(sent: SentRequest, options: SendOptions): Promise<JsonObject | undefined> {
  const { client, clock, signal } = options;
  const { method, path, body, secrets } = sent;
  let lost: Error | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await client.write({ method, path, ...(body === undefined ? {} : { body }), secrets });
      const mayBeEmpty = method === 'DELETE' && answer === undefined;
      if (method !== 'PUT' && !mayBeEmpty && answer?.['id'] !== sent.id)
        throw new AmbiguousAnswer({ method, path }, 200, 'the response describes another resource');
      return answer;
    } catch (error) {
      const [answered, before] = error instanceof EarlierAttemptLost ? [error.cause, error.lost] : [error, undefined];
      if (answered instanceof ApiError && (answered.status === 404 || answered.status === 405))
        return notFound(sent, answered, lost ?? before, options);
      if (method === 'DELETE' && error instanceof AmbiguousAnswer) return untilDeleted(sent, error, options);
      const again = method === 'PATCH' && isTransient(error) && mayHaveHappened(error) && attempt < mostTries;
      const wait = Math.max(options.lookUpDelayMs, retryDelay(error, attempt, clock));
      if (!again || wait > usualPatienceMs) throw afterLoss(lost, explainLastValueRefusal(sent, error));
      if (error instanceof Error) lost ??= error;
      // The lost request may still be carried out. Wait, so that it is not carried out after the next change.
      await clock.sleep(wait, signal).catch(() => undefined);
      if (signal?.aborted === true) throw error;
      if ((await readThere(sent, options, error)) === undefined) throw noLongerExists(sent, error);
    }
  }
}

/**
 * A 404 of the service to a DELETE that the API describes means that the resource is deleted. That of a proxy, and
 * a 404 or 405 to an operation that the API does not describe, proves nothing: the resource, or its parent, is read
 * with an operation that the API describes. What it no longer has need not be removed.
 */
async function notFound(
  sent: SentRequest,
  error: ApiError,
  lost: Error | undefined,
  options: SendOptions,
): Promise<undefined> {
  const { method, module } = sent;
  const isDescribed = sent.since === 'described';
  const saysDeleted = isDescribed && method === 'DELETE' && isNotFound(error);
  if (sent.isEnd && saysDeleted) return undefined;
  const there = await readThere(sent, options, lost);
  if (there === undefined && sent.isEnd) return undefined;
  if (there === undefined) throw noLongerExists(sent, error);
  if (saysDeleted || (method === 'DELETE' && module !== undefined && there.spec[module] === undefined))
    return undefined;
  throw afterLoss(lost, isDescribed ? error : new OperationNotOffered(error));
}

function noLongerExists({ address, id }: SentRequest, cause: unknown): SluiceError {
  return new SluiceError('NOT_FOUND', `${address} (${id}) no longer exists; it was deleted outside this run`, {
    cause,
    hint: 'run `sluice plan` again',
    hintInWatch: '',
  });
}
