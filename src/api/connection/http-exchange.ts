import type { Dispatcher } from 'undici';
import { SluiceError } from '../../diagnostics/errors.ts';
import { ConnectionFailed, type RequestFacts } from '../api-errors.ts';
import { NotConnected, reasonOf } from './not-connected.ts';

/** What is sent: everything but where to. */
export interface Outgoing extends RequestFacts {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back: the head, and the body where it could be had whole. */
export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The text of the body, or why there is none. */
  readonly body: { readonly text: string } | { readonly unread: string; readonly cause?: unknown };
}

/** What bounds one exchange. */
export interface Bounds {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

const tooLate = new Error('the deadline has passed');
const interrupted = new Error('interrupted');

/** Sends one request and reads its answer, within a size and a time that hold for the whole of it. */
export async function exchange(outgoing: Outgoing, bounds: Bounds): Promise<Incoming> {
  const { signal } = bounds;
  if (signal?.aborted === true)
    throw new ConnectionFailed('INTERRUPTED', outgoing, 'interrupted before it was sent', { mayHaveHappened: false });
  const stop = new AbortController();
  // A process that was stopped reads what arrived meanwhile first.
  const timer = setTimeout(() => setImmediate(() => stop.abort(tooLate)), bounds.deadlineMs);
  const interrupt = (): void => stop.abort(interrupted);
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const { method, path, headers, body } = outgoing;
    const answer = await bounds.dispatcher.request({
      origin: bounds.origin,
      path,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: stop.signal,
    });
    return { status: answer.statusCode, headers: answer.headers, body: await readBody(answer, bounds.maxBytes, stop) };
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    const facts = { mayHaveHappened: outgoing.method !== 'GET' && !happenedBeforeSending(error), cause: error };
    if (stop.signal.reason === tooLate)
      throw new ConnectionFailed('REQUEST_TIMEOUT', outgoing, `no response within ${bounds.deadlineMs} ms`, facts);
    if (stop.signal.reason === interrupted) throw new ConnectionFailed('INTERRUPTED', outgoing, 'interrupted', facts);
    if (error instanceof NotConnected)
      throw new ConnectionFailed(error.code, outgoing, error.message, { ...facts, hint: error.hint });
    throw new ConnectionFailed('CONNECTION_FAILED', outgoing, reasonOf(error), facts);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

// The headers have arrived, so later failures concern the response, not the connection.
async function readBody(
  { body, headers }: Dispatcher.ResponseData,
  maxBytes: number,
  stop: AbortController,
): Promise<Incoming['body']> {
  const encoding = headers['content-encoding'];
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    if (encoding !== undefined && encoding !== 'identity')
      return { unread: 'its body has a content encoding that was not requested' };
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return { unread: `its body is larger than ${maxBytes} bytes` };
      chunks.push(chunk);
    }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch (cause) {
    if (stop.signal.aborted) throw cause;
    return { unread: cause instanceof TypeError ? 'its body is not UTF-8 text' : 'its body was truncated', cause };
  } finally {
    // Without this listener, stopping a body that is still under way would be an uncaught error.
    if (!body.readableEnded) {
      body.on('error', () => undefined);
      stop.abort();
    }
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
