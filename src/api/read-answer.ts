import { safeText } from '../diagnostics/safe-text.ts';
import { AmbiguousAnswer, ApiError, NotAllowed, type RequestFacts } from './api-errors.ts';
import type { Incoming } from './connection/answer-reader.ts';
import type { Mask } from '../diagnostics/secret-mask.ts';
import { parsedObject, type JsonObject } from '../model/json-object.ts';

/** The JSON object in the answer to a read; anything else is an error that describes the answer. */
export function readAnswer(request: RequestFacts, incoming: Incoming, mask: Mask): JsonObject {
  if (incoming.status !== 200) throw refusal(request, incoming, mask);
  const object = objectIn(incoming);
  if (object !== undefined && repeats(object['id'], mask))
    throw new ApiError('UNREADABLE_RESPONSE', request, {
      status: 200,
      msg: 'the `id` in the response contains the API key',
    });
  if (object !== undefined) return object;
  throw new ApiError('UNREADABLE_RESPONSE', request, { status: 200, msg: whatCame(incoming, mask) }, checkUrl);
}

/** The JSON object that a write was answered with, or undefined where there is none to have: 204, and 200 to a DELETE. */
export function writeAnswer(request: RequestFacts, incoming: Incoming, mask: Mask): JsonObject | undefined {
  const { status } = incoming;
  if (status < 200 || status > 299) throw refusal(request, incoming, mask);
  if (status === 204) return undefined;
  if (request.method === 'DELETE' && status !== 200)
    throw new AmbiguousAnswer(request, status, 'only the status 200 or 204 confirms the deletion');
  if (request.method === 'DELETE' && 'text' in incoming.body && incoming.body.text === '') return undefined;
  const object = objectIn(incoming);
  if (object !== undefined && repeats(object['id'], mask))
    throw new AmbiguousAnswer(request, status, 'the `id` in the response contains a secret of the request');
  if (object !== undefined) return object;
  const cause = 'unread' in incoming.body ? incoming.body.cause : undefined;
  throw new AmbiguousAnswer(request, status, whatCame(incoming, mask), cause);
}

/** Whether an id is one of the texts to hide, or holds one. */
function repeats(id: unknown, mask: Mask): boolean {
  return typeof id === 'string' && mask.finds(id);
}

const checkUrl = 'check that api.base_url is the URL of the service, and that no proxy changes the responses';
const checkVendor = 'check api.vendor: sluice sends the API version in the header <vendor>-Version';

function refusal(request: RequestFacts, incoming: Incoming, mask: Mask): ApiError {
  const { status } = incoming;
  if (status >= 300 && status < 400)
    return new ApiError(
      'REDIRECTED',
      request,
      {
        status,
        msg: `sluice does not follow the redirect to ${safeText(mask.hide(headerOf(incoming, 'location') ?? 'nowhere'), 200)}`,
      },
      'set api.base_url to the URL of the service; the API key is sent to no other origin',
    );
  const object = objectIn(incoming);
  const isForeign = object === undefined && !isEmpty(incoming);
  const body = object ?? {};
  const retryAfter = retryAfterOf(incoming);
  const facts = {
    status,
    msg: typeof body['msg'] === 'string' ? safeText(mask.hide(body['msg'])) : whatCame(incoming, mask),
    ...(isForeign ? { isForeign } : {}),
    ...(typeof body['error_code'] === 'string' ? { errorCode: safeText(mask.hide(body['error_code']), 80) } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  if (status === 401 || status === 403) return new NotAllowed(request, facts);
  if (status === 429)
    return new ApiError(
      'API_REFUSED',
      request,
      facts,
      'try again later, or set api.rate_limit to the rate limit of the service, such as 120/60s',
      'set api.rate_limit to the rate limit of the service, such as 120/60s',
    );
  if (facts.errorCode === 'INVALID_API_VERSION') return new ApiError('API_REFUSED', request, facts, checkVendor);
  if (status < 500) return new ApiError('API_REFUSED', request, facts, isForeign ? checkUrl : undefined);
  // What to do after a failed write depends on what is known of it.
  const hint =
    request.method === 'GET' ? 'the service failed, perhaps temporarily; run the command again later' : undefined;
  return new ApiError('API_FAILED', request, facts, hint);
}

function objectIn({ body }: Incoming): JsonObject | undefined {
  return 'unread' in body ? undefined : parsedObject(body.text);
}

function isEmpty({ body }: Incoming): boolean {
  return 'text' in body && body.text.trim() === '';
}

// For answers that are not what they should be: the first of what came, so that a proxy's page is recognised.
function whatCame(incoming: Incoming, mask: Mask): string {
  const { body } = incoming;
  if ('unread' in body) return body.unread;
  if (body.text === '') return 'the response body is empty';
  const lack =
    objectIn(incoming) === undefined ? 'the response body is not a JSON object' : 'the response body has no `msg`';
  return `${lack}: ${safeText(mask.hide(body.text).replace(/\s+/g, ' '), 120)}`;
}

/** The first value of a header of an answer. */
export function headerOf({ headers }: Incoming, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** How long the service asks to wait, in milliseconds: it sends seconds, or a date. Nothing, or a date in the past, is no wait. */
export function retryAfterOf(incoming: Incoming): number | undefined {
  const header = headerOf(incoming, 'retry-after');
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
