/*
 * A service in memory that answers like S3, written from its public documentation: GetObject, PutObject with If-Match and
 * If-None-Match, DeleteObject and ListObjectsV2, with the path style. It checks the hash of each body and the form of the
 * signature; services that check signatures are in the same tests. Its faults are those of services that were seen, or
 * that the documentation describes.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the service does wrong. */
export interface S3Faults {
  /** It accepts conditions and does not check them. */
  ignoresConditions?: boolean;
  /** It checks, and writes so many milliseconds later: others may do the same in between. */
  gapMs?: number;
  /** Of a hundred writes, so many are carried out and not answered. */
  lostAnswers?: number;
  /** Of a hundred writes, so many are refused with 409, as when another one is under way. */
  conflicts?: number;
  /** Any other token of a session has expired. */
  token?: string;
  /** An object that was deleted counts as there for a condition, and not for a read. */
  hasDeleteMarkers?: boolean;
  /** Answers every request like this: with an error of S3, or with another text, as a proxy in front of it does. */
  answers?: { readonly status: number; readonly code: string } | { readonly status: number; readonly text: string };
}

/** A running service, with one bucket. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly objects: Map<string, { readonly bytes: Buffer; readonly etag: string }>;
  /** May be changed while it runs. */
  readonly faults: S3Faults;
  /** Requests so far, as method and name. */
  readonly log: string[];
  readonly stop: () => Promise<void>;
}

const bucket = 'state-bucket';
const mostListed = 5;

/** Starts a service. */
export async function startS3(given: S3Faults = {}): Promise<S3Server> {
  const faults = { ...given };
  const objects: S3Server['objects'] = new Map();
  const deleted = new Set<string>();
  const log: string[] = [];
  let draws = 0;
  const happens = (percent = 0): boolean => (draws++ * 37) % 100 < percent;

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, of, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    log.push(`${request.method ?? ''} ${key}`);
    const refuse = (status: number, code: string): void => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} happened</Message></Error>`);
    };
    if (faults.answers !== undefined) {
      const { answers } = faults;
      if ('code' in answers) refuse(answers.status, answers.code);
      else response.writeHead(answers.status).end(answers.text);
      return;
    }
    if (!isSigned(request, body)) {
      refuse(403, 'SignatureDoesNotMatch');
      return;
    }
    if (faults.token !== undefined && request.headers['x-amz-security-token'] !== faults.token) {
      refuse(400, 'ExpiredToken');
      return;
    }
    if (of !== bucket) {
      refuse(404, 'NoSuchBucket');
      return;
    }
    if (request.method === 'GET' && key === '') {
      list(url.searchParams, response);
      return;
    }
    const found = objects.get(key);
    if (request.method === 'GET') {
      if (found === undefined) {
        refuse(404, 'NoSuchKey');
        return;
      }
      response.writeHead(200, { etag: found.etag }).end(found.bytes);
      return;
    }
    if (request.method === 'DELETE') {
      if (objects.delete(key)) deleted.add(key);
      response.writeHead(204).end();
      return;
    }
    if (happens(faults.conflicts)) {
      refuse(409, 'ConditionalRequestConflict');
      return;
    }
    const wrong = faults.ignoresConditions === true ? undefined : unmet(key, request.headers);
    if (wrong !== undefined) {
      refuse(...wrong);
      return;
    }
    if (faults.gapMs !== undefined) await new Promise((resolve) => setTimeout(resolve, faults.gapMs));
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    objects.set(key, { bytes: body, etag });
    if (happens(faults.lostAnswers)) request.socket.destroy();
    else response.writeHead(200, { etag }).end();
  }

  function unmet(key: string, headers: IncomingMessage['headers']): [number, string] | undefined {
    const found = objects.get(key);
    const isThere = found !== undefined || (faults.hasDeleteMarkers === true && deleted.has(key));
    if (headers['if-none-match'] === '*' && isThere) return [412, 'PreconditionFailed'];
    const expected = headers['if-match'];
    if (expected === undefined) return undefined;
    if (found === undefined) return [404, 'NoSuchKey'];
    return found.etag === expected ? undefined : [412, 'PreconditionFailed'];
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const names = [...objects.keys()]
      .sort()
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('start-after') ?? ''));
    const page = names.slice(0, mostListed).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      `<ListBucketResult><IsTruncated>${String(names.length > mostListed)}</IsTruncated>${page.join('')}</ListBucketResult>`,
    );
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    bucket,
    objects,
    faults,
    log,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const isHashed = headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex');
  return (
    isHashed &&
    /^AWS4-HMAC-SHA256 Credential=\S+, SignedHeaders=\S*host\S*, Signature=[0-9a-f]{64}$/.test(
      headers.authorization ?? '',
    )
  );
}
