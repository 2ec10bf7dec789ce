import { ApiError, type RequestFacts } from '../api/api-errors.ts';
import type { Incoming } from '../api/connection/answer-reader.ts';
import { headerOf, retryAfterOf } from '../api/read-answer.ts';
import { counted } from '../diagnostics/counted.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { Mask } from '../diagnostics/secret-mask.ts';
import { isJsonObject, parsedJson } from '../model/json-object.ts';
import { fieldIn } from './comment-fields.ts';

/** The variables that say how a platform is reached, for hints. */
export interface AccessVariables {
  readonly apiUrlFrom: string;
  readonly tokenFrom: string;
}

/** What a platform answered other than with success and JSON. */
export function platformRefusal(
  request: RequestFacts,
  incoming: Incoming,
  mask: Mask,
  variables: AccessVariables,
): ApiError {
  const { status, body } = incoming;
  const value = 'text' in body ? parsedJson(body.text) : undefined;
  const isLimit = isLimited(incoming, value);
  const retryAfter = retryAfterOf(incoming) ?? untilReset(incoming);
  const facts = {
    status,
    msg: safeText(mask.hide(reasonIn(value, status)), 300),
    ...(isLimit ? { isLimit } : {}),
    ...(value === undefined ? { isForeign: true } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  const hint = isLimit ? limitHint(retryAfter) : hintFor(status, variables);
  return new ApiError('PLATFORM_REFUSED', request, facts, hint);
}

/** What to do about a token that lacks a permission. */
export function permissionHint({ tokenFrom }: Pick<AccessVariables, 'tokenFrom'>): string {
  return `give the token in ${tokenFrom} the permission for the request in the message`;
}

/** What a list of errors says; empty where it says nothing. */
export function listedReasons(errors: unknown): string {
  if (!Array.isArray(errors)) return '';
  return (errors as readonly unknown[])
    .map((error) => {
      if (typeof error === 'string') return error;
      const { message, field, code } = isJsonObject(error) ? error : {};
      if (typeof message === 'string') return message;
      return [field, code].filter((part) => typeof part === 'string').join(' ');
    })
    .filter((reason) => reason !== '')
    .join('; ');
}

/**
 * Whether a platform refuses because of a rate limit. GitHub reports that with 403, too, and GraphQL with 200:
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function isLimited(incoming: Incoming, value: unknown): boolean {
  const isExhausted = headerOf(incoming, 'x-ratelimit-remaining') === '0';
  if (incoming.status === 403) return isExhausted || headerOf(incoming, 'retry-after') !== undefined;
  return incoming.status === 429 || errorType(value) === 'RATE_LIMITED';
}

/** The type of the first error that GraphQL returned. */
export function errorType(value: unknown): unknown {
  const errors = fieldIn(value, 'errors');
  return fieldIn(Array.isArray(errors) ? errors[0] : undefined, 'type');
}

/** How long until a limit that is used up is reset, in milliseconds. */
function untilReset(incoming: Incoming): number | undefined {
  const reset = headerOf(incoming, 'x-ratelimit-reset') ?? '';
  if (headerOf(incoming, 'x-ratelimit-remaining') !== '0' || !/^\d{1,12}$/.test(reset)) return undefined;
  const ms = Number(reset) * 1000 - Date.now();
  return ms > 0 ? ms : undefined;
}

function limitHint(retryAfter: number | undefined): string {
  const when = retryAfter === undefined ? 'later' : `in ${counted(Math.ceil(retryAfter / 60_000), 'minute')}`;
  return `the rate limit of the token is exceeded; run the command again ${when}`;
}

function hintFor(status: number, variables: AccessVariables): string | undefined {
  const { apiUrlFrom, tokenFrom } = variables;
  if (status < 300) return `check that ${apiUrlFrom} is the URL of the API, and that no proxy changes the responses`;
  if (status < 400) return `set ${apiUrlFrom} to the URL of the API itself; the token is sent to no other origin`;
  if (status === 401) return `the token is not valid or has expired; set a valid token in ${tokenFrom}`;
  if (status === 403) return permissionHint(variables);
  if (status === 404)
    return `check that the token in ${tokenFrom} may read the repository, and that ${apiUrlFrom} is right: the platform also returns 404 for what the token may not read`;
  return status >= 500 ? 'the platform failed, perhaps temporarily; run the command again later' : undefined;
}

/** What a platform gives as the reason: `message` on all of them, `error` on GitLab in some places, and a list on GitHub. */
function reasonIn(value: unknown, status: number): string {
  const { message, error, errors } = isJsonObject(value) ? value : {};
  const reason = message ?? error;
  const listed = listedReasons(errors);
  if (typeof reason === 'string') return listed === '' ? reason : `${reason}: ${listed}`;
  if (reason !== undefined) return JSON.stringify(reason);
  if (listed !== '') return listed;
  if (status >= 300 && status < 400) return 'sluice does not follow the redirect';
  return value === undefined ? 'the response body is not JSON' : 'the response contains no reason';
}
