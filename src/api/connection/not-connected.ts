import { reasonOf } from '../../diagnostics/reason-of.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { certificateFault } from '../../diagnostics/certificate-fault.ts';
import type { Proxy } from './proxy.ts';

/** Why there is no connection. */
export type NotConnectedCode =
  | 'CONNECTION_FAILED'
  | 'TLS_NOT_SPOKEN'
  | 'CERTIFICATE_NOT_TRUSTED'
  | 'CERTIFICATE_WRONG_HOST'
  | 'CERTIFICATE_EXPIRED'
  | 'PROXY_FAILED'
  | 'PROXY_REFUSED';

/** No connection was made, so nothing was sent. No text in it holds credentials of a proxy. */
export class NotConnected extends Error {
  readonly code: NotConnectedCode;
  readonly hint: string | undefined;
  /** Host and port of the proxy that was used. */
  readonly proxy: string | undefined;

  constructor(
    code: NotConnectedCode,
    message: string,
    facts: { readonly hint?: string; readonly proxy?: Proxy | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = facts.hint;
    this.proxy = facts.proxy?.name;
  }
}

/** What a connection was to reach, in the words of messages. */
export interface Peer {
  /** Host and port. */
  readonly name: string;
  /** The proxy on the way to it. */
  readonly proxy?: Proxy | undefined;
  /** The setting that names the file of authorities, where one is set. */
  readonly caFrom: string | undefined;
}

/** An error of TCP or TLS as one of this program: what is wrong with a certificate, and what to set. */
export function notConnected(error: unknown, peer: Peer): NotConnected {
  const { name: server, proxy, caFrom } = peer;
  const { code: given } = error as { readonly code?: unknown };
  const code = typeof given === 'string' ? given : '';
  const throughProxy = proxy === undefined ? '' : ` (through the proxy ${proxy.name})`;
  const because = (kind: NotConnectedCode, message: string, hint?: string): NotConnected =>
    new NotConnected(kind, message, { cause: error, proxy, ...(hint === undefined ? {} : { hint }) });
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const { cert } = error as { readonly cert?: { readonly subjectaltname?: string } };
    const names = safeText(cert?.subjectaltname ?? 'none', 200);
    return because(
      'CERTIFICATE_WRONG_HOST',
      `the certificate of ${server}${throughProxy} is for other names: ${names}`,
      'use a host name that is in the certificate, or install a certificate for this host name on the server',
    );
  }
  if (certificateFault(code) === 'out-of-date')
    return because(
      'CERTIFICATE_EXPIRED',
      `the certificate of ${server}${throughProxy} has expired or is not yet valid`,
      'renew the certificate, and check the clock of this machine',
    );
  if (certificateFault(code) === 'untrusted')
    return because(
      'CERTIFICATE_NOT_TRUSTED',
      `the certificate of ${server}${throughProxy} is not signed by a trusted authority (${code})`,
      caFrom === undefined
        ? 'set SLUICE_CA_FILE or api.ca_file to a PEM file with the CA certificate for the server'
        : `add the CA certificate for the server to the file named by ${caFrom}`,
    );
  const tls = tlsReasonOf(error);
  if (tls !== undefined && notTls.test(tls))
    return because(
      'TLS_NOT_SPOKEN',
      `${server}${throughProxy} does not speak TLS on this port`,
      'use the TLS port of the service, or a URL that begins with http:// if the service has no TLS',
    );
  if (tls !== undefined)
    return because('CONNECTION_FAILED', `TLS with ${server}${throughProxy} failed: ${safeText(tls, 100)}`);
  if (code === 'ENOTFOUND')
    return because('CONNECTION_FAILED', `the host name of ${server}${throughProxy} cannot be resolved (${code})`);
  return because('CONNECTION_FAILED', `${reasonOf(error)}${throughProxy}`);
}

// The error of OpenSSL for an answer that is not TLS.
const notTls = /^(?:wrong version number|packet length too long|unknown protocol|http request)$/;

/** Why TLS failed, in the words of OpenSSL, without the numbers and source lines around them. */
function tlsReasonOf(error: unknown): string | undefined {
  const { reason, message } = error as { readonly reason?: unknown; readonly message?: unknown };
  const inMessage = /:SSL routines:[^:]*:([^:]+):/.exec(typeof message === 'string' ? message : '')?.[1];
  if (inMessage === undefined) return undefined;
  return typeof reason === 'string' ? reason : inMessage;
}
