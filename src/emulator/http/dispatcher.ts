import { setTimeout } from 'node:timers/promises';
import { DecoratorHandler, Dispatcher } from 'undici';
import { bytesOf, type Answer } from '../answer.ts';
import type { EmulatorRequest } from './exchange.ts';

type Handle = (request: EmulatorRequest) => Promise<Answer>;
type Handler = Dispatcher.DispatchHandler;

/** An undici Dispatcher that a function answers, so that clients can be tried without sockets. */
export class EmulatorDispatcher extends Dispatcher {
  readonly #handle: Handle;
  #closed = false;

  constructor(handle: Handle) {
    super();
    this.#handle = handle;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    const call = new Call(handler);
    if (this.#closed) call.abort(new Error('the emulator has stopped'));
    else
      void Promise.resolve(options)
        .then((given) => (call.aborted ? undefined : this.#handle(requestOf(given))))
        .then((answer) => (answer === undefined ? undefined : call.answer(answer)))
        .catch((error: unknown) => call.abort(error instanceof Error ? error : new Error('the emulator failed')));
    return true;
  }

  override close(callback?: () => void): Promise<void> {
    this.#closed = true;
    callback?.();
    return Promise.resolve();
  }

  override destroy(...given: readonly unknown[]): Promise<void> {
    this.#closed = true;
    const callback = given.at(-1);
    if (typeof callback === 'function') queueMicrotask(callback as () => void);
    return Promise.resolve();
  }
}

/** One request in progress, reported to a handler; `DecoratorHandler` gives every handler the current interface of undici. */
class Call implements Dispatcher.DispatchController {
  readonly #handler: Handler;
  #waiting: (() => void)[] = [];
  #paused = false;
  #reason: Error | null = null;
  readonly rawHeaders = null;
  readonly rawTrailers = null;

  constructor(handler: Handler) {
    this.#handler = new DecoratorHandler(handler);
    this.#handler.onRequestStart?.(this, {});
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  abort(reason: Error): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    queueMicrotask(() => this.#handler.onResponseError?.(this, reason));
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Plays an answer to the handler, broken as it is. */
  async answer(answer: Answer): Promise<void> {
    const { status, headers, broken } = answer;
    if (this.aborted || broken?.how === 'stall') return;
    if (broken?.how === 'reset') {
      this.abort(connectionError('ECONNRESET', 'read ECONNRESET'));
      return;
    }
    if (broken?.how === 'closed') {
      this.abort(connectionError('UND_ERR_SOCKET', 'other side closed'));
      return;
    }
    if (broken?.how === 'refused') {
      this.abort(Object.assign(connectionError('ECONNREFUSED', 'connect ECONNREFUSED'), { syscall: 'connect' }));
      return;
    }
    const bytes = bytesOf(answer);
    const promised = broken?.how !== 'cut-unpromised' && status !== 204;
    const head = promised ? { ...headers, 'content-length': String(bytes.length) } : { ...headers };
    this.#handler.onResponseStart?.(this, status, head);
    if (broken?.how === 'headers-only') return;
    const step = broken?.how === 'drip' ? 1 : bytes.length;
    const end = broken !== undefined && 'after' in broken ? Math.min(broken.after, bytes.length) : bytes.length;
    // One without a body takes as many turns as one with it, so that answers end in the order of their requests.
    if (end === 0 && !(await this.#goesOn())) return;
    for (let at = 0; at < end; at += step) {
      if (broken?.how === 'drip') await setTimeout(broken.everyMs, undefined, { ref: false });
      if (!(await this.#goesOn())) return;
      this.#handler.onResponseData?.(this, bytes.subarray(at, Math.min(at + step, end)));
    }
    if (!(await this.#goesOn())) return;
    if (broken?.how === 'cut') this.abort(connectionError('UND_ERR_SOCKET', 'other side closed'));
    else this.#handler.onResponseEnd?.(this, {});
  }

  /** Waits while the client reads no further; false when it gave up. */
  async #goesOn(): Promise<boolean> {
    if (this.#paused) await new Promise<void>((go) => this.#waiting.push(go));
    return !this.aborted;
  }
}

function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** A request as clients of this program send it: its body is text. */
function requestOf({ method, path, headers, body, origin }: Dispatcher.DispatchOptions): EmulatorRequest {
  const text = body ?? '';
  if (typeof text !== 'string') throw new TypeError('the body must be text');
  return {
    method,
    path,
    headers: headersOf(headers as Readonly<Record<string, string>> | string[] | null | undefined),
    body: text,
    origin: String(origin ?? 'http://emulator.invalid').replace(/\/$/, ''),
  };
}

/** Headers by name; interceptors of undici list names and values one after the other. */
function headersOf(
  given: Readonly<Record<string, string>> | string[] | null = {},
): Required<EmulatorRequest>['headers'] {
  if (!Array.isArray(given)) return { ...given };
  return Object.fromEntries(given.flatMap((name, at) => (at % 2 === 0 ? [[name, given[at + 1]]] : [])));
}
