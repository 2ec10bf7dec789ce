import type { Dispatcher } from 'undici';
import { isPlainAllowed } from '../api/base-url.ts';
import type { Clock } from '../api/clock.ts';
import { exchange } from '../api/connection/http-exchange.ts';
import { parsedJson } from '../model/json-object.ts';
import { createRetry, type RetryWait } from '../api/retry.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import { maskOf, type Mask } from '../diagnostics/secret-mask.ts';
import { isLimited, platformRefusal, type AccessVariables } from './platform-refusal.ts';

/** How the API of a platform is reached. */
export interface PlatformAccess extends AccessVariables {
  /** Such as https://api.github.com; the token is sent to its origin alone. */
  readonly apiUrl: string;
  readonly authorization: 'Bearer' | 'token';
  readonly token: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  /** Told before a request waits and is sent again. */
  readonly onRetry: (wait: RetryWait) => void;
}

/** One request to a platform, its path below that of the API's URL. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  /** It changes nothing although it is a POST. */
  readonly isRead?: true;
}

/** The API of a platform: sends a request, and returns the JSON of the response. */
export interface PlatformClient {
  /** The origin of the API's URL, for messages. */
  readonly origin: string;
  /** The variable that the token comes from, and what hides the token, for messages. */
  readonly tokenFrom: string;
  readonly mask: Mask;
  /** The path of the API's URL, without a slash at its end. */
  readonly prefix: string;
  readonly send: (request: PlatformRequest) => Promise<unknown>;
}

const deadlineMs = 20_000;
const maxBytes = 32 * 1024 * 1024;
const tries = 4;
const patienceMs = 60_000;

/** Makes a client for the API of a platform. It follows no redirect, and repeats only what is safe to repeat. */
export function createPlatformClient(access: PlatformAccess): PlatformClient {
  const { dispatcher, clock, signal, token, onRetry } = access;
  const { origin, prefix } = placeOf(access);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SluiceError('INVALID_TOKEN', 'the token is empty or contains invalid characters, such as a line break');
  const retry = createRetry({ clock, signal, tries, patienceMs, onRetry });
  const mask = maskOf([token]);
  const unreachableHint = `check the network, and the URL in ${access.apiUrlFrom}`;
  const bounds = { dispatcher, origin, deadlineMs, maxBytes, signal, unreachableHint, namesOrigin: true };
  const headers = {
    authorization: `${access.authorization} ${token}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': access.userAgent,
  };
  return {
    origin,
    tokenFrom: access.tokenFrom,
    mask,
    prefix,
    send: ({ method, path, body, isRead }) =>
      retry({ method: isRead === true ? 'GET' : method, path }, async () => {
        const sent = body === undefined ? { headers } : withBody(headers, body);
        const incoming = await exchange({ method, path, ...sent }, bounds);
        const value = 'text' in incoming.body ? parsedJson(incoming.body.text) : undefined;
        const isSuccess = incoming.status >= 200 && incoming.status <= 299 && value !== undefined;
        if (isSuccess && !isLimited(incoming, value)) return value;
        throw platformRefusal({ method, path: `${origin}${path}` }, incoming, mask, access);
      }),
  };
}

function withBody(headers: Readonly<Record<string, string>>, body: unknown): { headers: typeof headers; body: string } {
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function placeOf({ apiUrl, apiUrlFrom }: PlatformAccess): { readonly origin: string; readonly prefix: string } {
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  const isUsable =
    url !== undefined &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isPlainAllowed(url.hostname)));
  if (!isUsable)
    throw new SluiceError(
      'INVALID_PLATFORM_URL',
      `${apiUrlFrom} must be an https URL, and must not contain credentials`,
    );
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
