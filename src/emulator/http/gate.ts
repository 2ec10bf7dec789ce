import { refuse, type RefusedAnswer } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { Settings } from '../options.ts';

/** The most a body may hold: 1 MiB. */
export const bodyLimit = 1_048_576;

/** Whether a request may come in at all: credentials and version header. */
export function turnedAway({ headers }: Exchange, settings: Settings): RefusedAnswer | undefined {
  const key = /^Bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1];
  if (key === undefined || (settings.apiKey !== undefined && key !== settings.apiKey))
    return refuse(401, 'UNAUTHENTICATED', 'The request requires a valid API key: Authorization: Bearer <API_KEY>.', {
      'www-authenticate': 'Bearer',
    });
  const version = headers[`${settings.vendor}-version`.toLowerCase()];
  return version === '2'
    ? undefined
    : refuse(400, 'INVALID_API_VERSION', `The request requires the header ${versionHeader(settings)}: 2.`);
}

/** Whether a body may come in: its size and type. */
export function refusedBody({ headers, body }: Exchange): RefusedAnswer | undefined {
  if (body === '') return undefined;
  if (Buffer.byteLength(body) > bodyLimit)
    return refuse(413, 'BODY_TOO_LARGE', `The body must be at most ${bodyLimit} bytes long.`);
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
    ? undefined
    : refuse(415, 'INVALID_CONTENT_TYPE', 'The body must be application/json.');
}

function versionHeader({ vendor }: Settings): string {
  return `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}-Version`;
}
