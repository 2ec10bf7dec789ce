import { textOf } from '../../../kinds/value.ts';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { GatewayRequest } from '../gateway-request.ts';
import { passes, refuses, type ModuleCheck } from '../module-verdict.ts';

/** The header that a stand-in signature has, for every provider. */
export const signatureHeader = 'gateway-signature';

/** Where the signature of a provider is, and what it is. */
interface Scheme {
  readonly header: string;
  readonly signature: (body: Uint8Array, secret: string) => string;
}

const standIn: Scheme = { header: signatureHeader, signature: signatureOf };

// The description names no provider. These two are known to everybody who has a webhook.
const schemes: Readonly<Record<string, Scheme>> = {
  github: { header: 'x-hub-signature-256', signature: signatureOf },
  gitlab: { header: 'x-gitlab-token', signature: (_, secret) => secret },
};

/** `webhook_verification`: the request has the provider's signature, or the stand-in for it. */
export const signatureCheck: ModuleCheck = ({ provider, secret }, { request }) => {
  const name = textOf(provider).toLowerCase();
  // A provider that needs no secret signs the stand-in with its name.
  const key = textOf(secret) === '' ? name : textOf(secret);
  const own = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  const known = [...(own === undefined ? [] : [own]), standIn];
  const given = known.filter(({ header }) => request.headers[header] !== undefined);
  if (given.length === 0)
    return refuses(`no signature of ${name} in ${known.map(({ header }) => header).join(' or ')}`);
  return given.some((scheme) => isSigned(request, scheme, key))
    ? passes(`${name} signed the request`)
    : refuses(`the signature in ${given.map(({ header }) => header).join(' and ')} is wrong`);
};

/** The stand-in signature of a body: `sha256=` and the HMAC-SHA256 in hexadecimal. */
export function signatureOf(body: Uint8Array | string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function isSigned({ headers, body }: GatewayRequest, { header, signature }: Scheme, secret: string): boolean {
  return timingSafeEqual(digestOf(headers[header] ?? ''), digestOf(signature(body, secret)));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
