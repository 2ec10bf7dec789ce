import { hash } from 'node:crypto';
import { request as requestOverHttp, Agent as HttpAgent, type ClientRequest } from 'node:http';
import { request as requestOverTls, Agent as TlsAgent } from 'node:https';
import { AwsV4Signer } from 'aws4fetch';
import { maskOf, type Mask } from '../../diagnostics/secret-mask.ts';
import { storeDeadline } from '../store-deadline.ts';
import type { S3Address } from './s3-address.ts';
import { missingCredentials, renewedCredentials, type S3Credentials } from './s3-credentials.ts';
import { isAccessRefused } from './s3-errors.ts';

/** A request to the service, before it is signed. */
export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** The path of a URL with its query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** What the service answered. */
export interface S3Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: Buffer;
  /** Hides the credentials of the request. */
  readonly mask: Mask;
  /** Where access is refused: why the files of the credentials have no others. */
  readonly missing?: readonly string[];
}

/** Sends requests to one service, each once. */
export interface S3Connections {
  readonly send: (request: S3Request) => Promise<S3Answer>;
  readonly close: () => void;
}

// A state of 100,000 resources is a tenth of this.
const mostBytes = 1_000_000_000;

/**
 * Opens connections, which stay open between requests. A request without a whole answer at its deadline fails. One whose
 * credentials are refused was not carried out: it is sent again where their files have others by now.
 */
export function s3Connections(
  address: S3Address,
  { deadlineMs, authorities }: { readonly deadlineMs: number; readonly authorities?: readonly string[] },
): S3Connections {
  const isTls = address.origin.startsWith('https:');
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED is: the thread of the heartbeats would not know.
  const tls = { rejectUnauthorized: true, ...(authorities === undefined ? {} : { ca: [...authorities] }) };
  const options = { keepAlive: true, maxSockets: 16 };
  const agent = isTls ? new TlsAgent({ ...options, ...tls }) : new HttpAgent(options);

  let credentials: S3Credentials = address;

  async function send(request: S3Request): Promise<S3Answer> {
    const used = credentials;
    const answer = await exchange(request, used);
    if (!isAccessRefused(answer)) return answer;
    if (credentials === used) credentials = renewedCredentials(used) ?? used;
    const last = credentials === used ? answer : await exchange(request, credentials);
    return isAccessRefused(last) ? { ...last, missing: missingCredentials(credentials) } : last;
  }

  async function exchange(
    { method, target, headers = {}, body }: S3Request,
    { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  ): Promise<S3Answer> {
    const signed = await new AwsV4Signer({
      method,
      url: `${address.origin}${target}`,
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
      service: 's3',
      region: address.region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    }).sign();
    const sent = {
      method,
      agent,
      headers: { ...Object.fromEntries(signed.headers), 'content-length': body?.length ?? 0 },
    };
    return new Promise((answered, failed) => {
      const outgoing: ClientRequest = isTls ? requestOverTls(signed.url, sent) : requestOverHttp(signed.url, sent);
      const inTime = storeDeadline(deadlineMs, () => {
        outgoing.destroy(new Error(`no response within ${deadlineMs} ms`));
      });
      const fail = (error: Error): void => {
        inTime();
        failed(error);
      };
      outgoing.once('error', fail);
      outgoing.once('response', (incoming) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) outgoing.destroy(new Error(`the response is larger than ${mostBytes} bytes`));
          else chunks.push(chunk);
        });
        incoming.once('error', fail);
        incoming.once('end', () => {
          inTime();
          const { statusCode = 0, headers: received } = incoming;
          const mask = maskOf([secretAccessKey, sessionToken ?? '']);
          answered({ status: statusCode, etag: received.etag, body: Buffer.concat(chunks), mask });
        });
      });
      outgoing.end(body);
    });
  }

  return { send, close: () => agent.destroy() };
}
