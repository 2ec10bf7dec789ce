import type { Dispatcher } from 'undici';

/** What came back: the head, and the body where it could be had whole. */
export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The text of the body, or why there is none. */
  readonly body: { readonly text: string } | { readonly unread: string; readonly cause?: unknown };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the answer to one request as it arrives, its body up to a size. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  /** Rejects if no head arrives, or if the request is given up. */
  readonly answer: Promise<Incoming>;
  #resolve: (answer: Incoming) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  readonly #maxBytes: number;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<Incoming, 'status' | 'headers'> | undefined;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #reason: Error | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Why the request was given up, if it was. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reason !== undefined) controller.abort(this.#reason);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Incoming['headers']): void {
    // What is only informational comes before the answer.
    if (status < 200) return;
    this.#head = { status, headers };
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      this.#refuse('the response body has a content encoding that sluice did not request');
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.#refuse(`the response body is larger than ${this.#maxBytes} bytes`);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first = Buffer.alloc(0), ...rest] = this.#chunks;
    try {
      this.#end({ text: decoder.decode(rest.length === 0 ? first : Buffer.concat(this.#chunks)) });
    } catch (cause) {
      this.#end({ unread: 'the response body is not UTF-8 text', cause });
    }
  }

  // Once the head has arrived, later failures concern the response, not the connection.
  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#head === undefined || this.#reason !== undefined) this.#reject(error);
    else this.#end({ unread: 'the response body was truncated', cause: error });
  }

  #refuse(unread: string): void {
    this.#end({ unread });
    this.#controller?.abort(new Error(unread));
  }

  #end(body: Incoming['body']): void {
    if (this.#head !== undefined) this.#resolve({ ...this.#head, body });
  }
}
