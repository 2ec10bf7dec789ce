/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Stands in the place of `body` where the answer is no text. */
  readonly bytes?: Uint8Array;
  /** How the answer breaks on its way; absent: it arrives. */
  readonly broken?: Breakage;
}

/**
 * What the wire does to an answer: the connection is reset before a byte of it, or closed in good order as if it had been
 * idle for too long, nobody listens for a while, nothing ever comes, only the head comes, the body is cut after some bytes
 * while its length was promised, or while it was not, or it comes byte by byte.
 */
export type Breakage =
  | { readonly how: 'reset' }
  | { readonly how: 'closed' }
  | { readonly how: 'refused'; readonly forMs: number }
  | { readonly how: 'stall' }
  | { readonly how: 'headers-only' }
  | { readonly how: 'cut'; readonly after: number }
  | { readonly how: 'cut-unpromised'; readonly after: number }
  | { readonly how: 'drip'; readonly everyMs: number };

const json = { 'content-type': 'application/json' } as const;

/** An answer with a body that is JSON text already. */
export function answered(status: number, body: string): Answer {
  return { status, headers: json, body };
}

/** Done, and nothing to show. */
export const noContent: Answer = { status: 204, headers: {}, body: '' };

/** The body as sent. */
export function bytesOf({ body, bytes }: Answer): Buffer {
  return bytes === undefined ? Buffer.from(body) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A refusal in the service's own shape (decisions/0007); the operation id is filled in on the way out. A plain 404 has no code. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string | undefined, message: string, headers: Refusal['headers'] = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The resource does not exist. */
export function notFound(): Refusal {
  return new Refusal(404, undefined, 'The requested resource was not found.');
}

/** The answer of a call, which may be a refusal. */
export function answerOf(call: () => Answer, operationId: () => string): Answer {
  try {
    return call();
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, operationId());
    throw error;
  }
}

/** The refusal as sent. */
export function refusalAnswer({ status, code, message, headers }: Refusal, operationId: string): Answer {
  const body = {
    ...(code === undefined ? {} : { error_code: code }),
    status_code: status,
    msg: message,
    details: { operation_id: operationId },
  };
  return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}
