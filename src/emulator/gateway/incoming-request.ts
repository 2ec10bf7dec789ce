/*
 * An HTTP request as one that arrives at an edge. What a client on this machine cannot show, headers stand for
 * (decisions/0046): the service itself would never take them for it.
 *
 *   Gateway-Hostport      where it arrives; else the TLS server name or the host, with the port of the Host header
 *   Gateway-Address       the source address
 *   Gateway-User          who has signed in; Gateway-Groups: groups, teams and organizations; Gateway-Provider: where
 *   Gateway-Client-Cert   the id of the authority of a client certificate; without TLS only
 *   Gateway-TLS-Version   without TLS only
 */
import { isIP } from 'node:net';
import { headersIn, type EmulatorRequest } from '../http/exchange.ts';
import type { GatewayRequest, SignIn } from './gateway-request.ts';

/** The request that an HTTP request stands for; the gateway's own port stands for 443. Sessions are not looked up. */
export function incomingRequest(request: EmulatorRequest, ownPort: string): GatewayRequest {
  const headers = headersIn(request);
  const { tls } = request;
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(headers['host'] ?? '') ?? [];
  const host = plainHost(name);
  const at = port === undefined || port === ownPort ? '443' : port;
  const { body = '' } = request;
  const issuer = headers['gateway-client-cert'];
  const chain = tls?.certificates ?? [];
  return {
    hostport: headers['gateway-hostport']?.toLowerCase() ?? `${plainHost(tls?.serverName ?? host)}:${at}`,
    host,
    method: request.method.toUpperCase(),
    path: request.path,
    headers,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    address: addressOf(headers['gateway-address'], request.from),
    tlsVersion: tls?.version ?? headers['gateway-tls-version'] ?? '1.3',
    ...(tls === undefined && issuer !== undefined ? { certificate: { issuedBy: issuer } } : {}),
    ...(chain.length > 0 ? { certificate: { chain } } : {}),
    signIns: signInOf(headers),
  };
}

/** In lower case, without a dot at the end. */
function plainHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function addressOf(given: string | undefined, from = '127.0.0.1'): string {
  return given !== undefined && isIP(given) !== 0 ? given : from.replace(/^::ffff:(?=\d+\.)/, '');
}

function signInOf(headers: GatewayRequest['headers']): SignIn[] {
  const email = headers['gateway-user'];
  if (email === undefined || email === '') return [];
  const memberOf = listIn(headers['gateway-groups']);
  return [{ provider: headers['gateway-provider'], email, memberOf, age: 0, idle: 0 }];
}

/** The entries of a list with commas. */
export function listIn(text = ''): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
