import type { Dispatcher } from 'undici';
import { SluiceError } from '../diagnostics/errors.ts';
import { readAnswer, retryAfterOf, writeAnswer } from './read-answer.ts';
import type { JsonObject } from '../model/json-object.ts';
import { baseUrl } from './base-url.ts';
import { ConnectionFailed, type RequestFacts } from './api-errors.ts';
import type { Incoming } from './connection/answer-reader.ts';
import { exchange, type Outgoing } from './connection/http-exchange.ts';
import { maskOf, type Mask } from '../diagnostics/secret-mask.ts';
import { pages, type ListBudget } from './pages.ts';
import type { Limiter } from './rate/limiter.ts';
import { QueuedTooLong, type QueueTicket } from './rate/queue.ts';
import type { Retry } from './retry.ts';
import { WriteHeldBack } from './while-allowed.ts';
import type { WriteMethod } from '../model/plan/plan.ts';

/** What a client needs to reach one service; how requests travel is the dispatcher's matter. */
export interface ClientOptions {
  readonly baseUrl: string;
  /** The operator's name, for the version header. */
  readonly vendor: string;
  /** Read before every request; sent only to the origin of the base URL, and in no message. */
  readonly key: () => string | Promise<string>;
  readonly dispatcher: Dispatcher;
  readonly userAgent: string;
  readonly signal?: AbortSignal;
  /** Calls off what waits for its turn; `signal`, where this is left out. What has been sent is another matter. */
  readonly calledOff?: AbortSignal;
  /** For one request with the whole of its answer. */
  readonly deadlineMs?: number;
  /** The largest answer that is read. */
  readonly maxBytes?: number;
  /** Retries requests where that is safe; without one, every failure is thrown immediately. */
  readonly repeat?: Retry;
  /** Resolves once a write may start; rejects where none may any more. */
  readonly untilMayWrite?: (signal?: AbortSignal) => Promise<void>;
  /** Holds requests back to the pace the service allows. */
  readonly limiter?: Pick<Limiter, 'admit'>;
  /** Called after every request. */
  readonly onRequest?: (facts: CompletedRequest) => void;
}

/** One request that is over; without a status when no answer came. */
export interface CompletedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  /** How long the answer took, in milliseconds, the waiting before it was sent left out. */
  readonly ms: number;
}

/** A request that changes something. */
export interface WriteRequest {
  readonly method: WriteMethod;
  readonly path: string;
  /** JSON as the API takes it. */
  readonly body?: unknown;
  /** Secrets inside the body, so that no error repeats one the service sent back. */
  readonly secrets?: readonly string[];
}

/** The service, spoken to over HTTP. Repeating a request is not its matter. */
export interface Client {
  /** One resource. */
  readonly get: (path: string) => Promise<JsonObject>;
  /** Every item of a list, page after page as they arrive. */
  readonly list: (path: string, key: string) => AsyncIterable<unknown>;
  /** The same in pages: thousands of items, one after the other, would cost more than what is in them. */
  readonly pages: (path: string, key: string, budget?: ListBudget) => AsyncIterable<readonly unknown[]>;
  /** The answer's object, or undefined for an answer without a body (204). */
  readonly write: (request: WriteRequest) => Promise<JsonObject | undefined>;
}

/** Makes a client for one service. */
export function createClient(options: ClientOptions): Client {
  const base = baseUrl(options.baseUrl);
  const version = versionHeader(options.vendor);
  const bounds = {
    dispatcher: options.dispatcher,
    origin: base.origin,
    deadlineMs: options.deadlineMs ?? 60_000,
    maxBytes: options.maxBytes ?? 16 * 1024 * 1024,
    signal: options.signal,
    unreachableHint: 'check that the service is running, and the URL in api.base_url or SLUICE_BASE_URL',
  };

  async function send(
    place: QueueTicket,
    { method, path }: RequestFacts,
    key: string,
    body?: string,
  ): Promise<Incoming> {
    const headers = {
      authorization: `Bearer ${key}`,
      [version]: '2',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': options.userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const calledOff = options.calledOff ?? options.signal;
    if (method !== 'GET') await options.untilMayWrite?.(calledOff);
    const answered = await options.limiter?.admit(calledOff, place).catch((cause: unknown) => {
      if (cause instanceof QueuedTooLong) throw cause;
      const facts = { mayHaveHappened: false, cause };
      throw new ConnectionFailed('INTERRUPTED', { method, path }, 'interrupted before the request was sent', facts);
    });
    const began = performance.now();
    let incoming: Incoming | undefined;
    try {
      incoming = await sendWhenAllowed({ method, path, headers, body });
      return incoming;
    } finally {
      answered?.(incoming?.status, incoming && retryAfterOf(incoming));
      options.onRequest?.({ method, path, status: incoming?.status, ms: performance.now() - began });
    }
  }

  /** A write whose moment was wrong was not sent, so it waits for a better one. */
  async function sendWhenAllowed(outgoing: Outgoing): Promise<Incoming> {
    for (;;) {
      if (outgoing.method !== 'GET') await options.untilMayWrite?.(options.calledOff ?? options.signal);
      try {
        return await exchange(outgoing, bounds);
      } catch (error) {
        if (!(error instanceof WriteHeldBack) || options.untilMayWrite === undefined) throw error;
      }
    }
  }

  const repeat: Retry = options.repeat ?? ((_request, once) => once({ isRepeat: false, queued: () => undefined }));

  async function carryOut<T>(
    request: RequestFacts,
    read: (request: RequestFacts, incoming: Incoming, mask: Mask) => T,
    body?: string,
    secrets: readonly string[] = [],
  ): Promise<T> {
    return repeat(request, async (place) => {
      const key = await readKey(options.key);
      return read(request, await send(place, request, key, body), maskOf([key, ...secrets]));
    });
  }

  const get = (path: string): Promise<JsonObject> => carryOut({ method: 'GET', path }, readAnswer);

  const pagesOf: Client['pages'] = (path, key, budget) =>
    pages(get, base, base.prefix + checkedPath(path), key, budget);

  return {
    get: async (path) => get(base.prefix + checkedPath(path)),
    pages: pagesOf,
    async *list(path, key) {
      for await (const page of pagesOf(path, key)) yield* page;
    },
    write: async ({ method, path, body, secrets }) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      return carryOut({ method, path: base.prefix + checkedPath(path) }, writeAnswer, text, secrets);
    },
  };
}

async function readKey(key: ClientOptions['key']): Promise<string> {
  const text = await key();
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new SluiceError('INVALID_API_KEY', 'the API key is empty or contains invalid characters, such as a line break');
}

function versionHeader(vendor: string): string {
  if (/^[a-z][a-z0-9-]*$/i.test(vendor)) return `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}-Version`;
  throw new SluiceError(
    'INVALID_VENDOR',
    'the vendor name must begin with a letter and contain only letters, digits and hyphens',
    {
      hint: 'set api.vendor to the vendor name in the header <vendor>-Version of the service',
    },
  );
}

/** The path, refused where an odd id would make it lead somewhere else: to the collection above, or out of it. */
function checkedPath(path: string): string {
  const [before = ''] = path.split('?');
  const parts = before.split('/');
  if (parts.length > 1 && parts[0] === '' && parts.slice(1).every(isPlain) && /^[\x21-\x7e]+$/.test(path)) return path;
  throw new SluiceError('INVALID_PATH', `not a path of the API: ${JSON.stringify(path)}`);
}

function isPlain(part: string): boolean {
  return part !== '' && !/^(?:\.|%2e){1,2}$/i.test(part);
}
