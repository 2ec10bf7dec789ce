import { Refusal } from '../answer.ts';
import type { Exchange } from './exchange.ts';
import type { Settings } from '../options.ts';

/** The most a body may hold: 1 MiB. */
export const bodyLimit = 1_048_576;

/** Refuses a request that may not come in at all: credentials and version header. */
export function admit({ headers }: Exchange, settings: Settings): void {
  const key = /^Bearer +(\S+) *$/i.exec(headers['authorization'] ?? '')?.[1];
  if (key === undefined || (settings.apiKey !== undefined && key !== settings.apiKey))
    throw new Refusal(
      401,
      'UNAUTHENTICATED',
      'The request requires a valid API key: Authorization: Bearer <API_KEY>.',
      {
        'www-authenticate': 'Bearer',
      },
    );
  const version = headers[`${settings.vendor}-version`.toLowerCase()];
  if (version !== '2')
    throw new Refusal(400, 'INVALID_API_VERSION', `The request requires the header ${versionHeader(settings)}: 2.`);
}

/** Refuses a body that may not come in: its size and type. */
export function admitBody({ headers, body }: Exchange): void {
  if (body === '') return;
  if (Buffer.byteLength(body) > bodyLimit)
    throw new Refusal(413, 'BODY_TOO_LARGE', `The body must be at most ${bodyLimit} bytes long.`);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw new Refusal(415, 'INVALID_CONTENT_TYPE', 'The body must be application/json.');
}

function versionHeader({ vendor }: Settings): string {
  return `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}-Version`;
}
