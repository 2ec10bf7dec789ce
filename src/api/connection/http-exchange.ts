import type { Dispatcher } from 'undici';
import { SluiceError } from '../../diagnostics/errors.ts';
import { reasonOf } from '../../diagnostics/reason-of.ts';
import { ConnectionFailed, type RequestFacts } from '../api-errors.ts';
import { AnswerReader, type Incoming } from './answer-reader.ts';
import { NotConnected } from './not-connected.ts';

/** What is sent: everything but where to. */
export interface Outgoing extends RequestFacts {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What bounds one exchange. */
export interface Bounds {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Failures name the origin, too. */
  readonly namesOrigin?: boolean;
  /** What to check where there is no connection. */
  readonly unreachableHint?: string;
}

const tooLate = new Error('the time limit of the request has passed');
const interrupted = new Error('interrupted');

/** Sends one request and reads its answer, within a size and a time that hold for the whole of it. */
export async function exchange(outgoing: Outgoing, bounds: Bounds): Promise<Incoming> {
  const { signal } = bounds;
  const named = {
    method: outgoing.method,
    path: `${bounds.namesOrigin === true ? bounds.origin : ''}${outgoing.path}`,
  };
  if (signal?.aborted === true)
    throw new ConnectionFailed('INTERRUPTED', named, 'interrupted before the request was sent', {
      mayHaveHappened: false,
    });
  const reader = new AnswerReader(bounds.maxBytes);
  // A process that was stopped reads what arrived meanwhile first.
  const timer = setTimeout(() => setImmediate(() => reader.giveUp(tooLate)), bounds.deadlineMs);
  const interrupt = (): void => reader.giveUp(interrupted);
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const { method, path, headers, body } = outgoing;
    bounds.dispatcher.dispatch({ origin: bounds.origin, path, method, headers, body: body ?? null }, reader);
    return await reader.answer;
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    const facts = { mayHaveHappened: outgoing.method !== 'GET' && !happenedBeforeSending(error), cause: error };
    if (reader.reason === tooLate)
      throw new ConnectionFailed('REQUEST_TIMEOUT', named, `no response within ${bounds.deadlineMs} ms`, facts);
    if (reader.reason === interrupted) throw new ConnectionFailed('INTERRUPTED', named, 'interrupted', facts);
    if (error instanceof NotConnected)
      throw new ConnectionFailed(error.code, named, error.message, {
        ...facts,
        hint: error.hint ?? bounds.unreachableHint,
      });
    throw new ConnectionFailed('CONNECTION_FAILED', named, reasonOf(error), facts);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

// Failures of looking up a name, connecting and agreeing on TLS come before the first byte of a request.
function happenedBeforeSending(error: unknown): boolean {
  if (error instanceof NotConnected) return true;
  if (error instanceof AggregateError) return error.errors.every(happenedBeforeSending);
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return (
    typeof code === 'string' &&
    /^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)
  );
}
