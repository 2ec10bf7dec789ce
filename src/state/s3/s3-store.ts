/*
 * A store in a bucket. The version of an object is its ETag: no two swaps write equal bytes, so no two of its contents
 * have the same. A swap is a PUT with If-Match, or with If-None-Match where there must be no object. Whether a service
 * honours both is tested before its first use, never taken from its name.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { StateError } from '../../diagnostics/errors.ts';
import { isObjectName, type RemoteStore, type SwapResult } from '../remote/remote-store.ts';
import type { S3Address } from './s3-address.ts';
import { isAbsent, s3Outage, s3Refusal } from './s3-errors.ts';
import { s3Connections, type S3Answer, type S3Request } from './s3-exchange.ts';

/** Which objects, and how patiently; plain values, so that a thread can be given them. */
export interface S3StoreOptions {
  readonly address: S3Address;
  readonly deadlineMs: number;
  /** Trusted beside the authorities of Node. */
  readonly authorities?: readonly string[];
}

const removalsAtOnce = 10;
const mostTries = 3;
const pauseMs = 150;

/** Opens a store in a bucket. Nothing is connected before the first operation. */
export function s3Store(options: S3StoreOptions): RemoteStore {
  const { address, deadlineMs } = options;
  const location = address.name;
  const connections = s3Connections(address, options);
  const targetOf = (name: string): string => `${address.path}${encoded(`${address.prefix}${name}`)}`;

  /** Sends what changes nothing, again where a connection broke off or the service asks to. */
  async function ask(request: S3Request): Promise<S3Answer> {
    const until = performance.now() + deadlineMs;
    for (let tries = 1; ; tries++) {
      const mayRepeat = tries < mostTries && performance.now() < until;
      try {
        const answer = await connections.send(request);
        if (!mayRepeat || (answer.status < 500 && answer.status !== 429)) return answer;
      } catch (error) {
        if (!mayRepeat) throw s3Outage(error, location);
      }
      await delay(tries * pauseMs);
    }
  }

  async function read(name: string): ReturnType<RemoteStore['read']> {
    const answer = await ask({ method: 'GET', target: targetOf(name) });
    const { status, etag, body } = answer;
    if (isAbsent(answer)) return undefined;
    if (status !== 200) throw s3Refusal(answer, location);
    if (etag === undefined) throw s3Outage(new Error('the response of the S3 service has no ETag'), location);
    return { bytes: body, version: etag };
  }

  async function swap(name: string, expected: string | undefined, bytes: Uint8Array): Promise<SwapResult> {
    let answer: S3Answer;
    try {
      answer = await connections.send({
        method: 'PUT',
        target: targetOf(name),
        headers: expected === undefined ? { 'if-none-match': '*' } : { 'if-match': expected },
        body: bytes,
      });
    } catch (error) {
      return { is: 'unknown', cause: s3Outage(error, location) };
    }
    const { status, etag } = answer;
    if (status === 200 && etag !== undefined) return { is: 'done', version: etag };
    // Of another version, or the object that was to be replaced is gone.
    if (status === 412 || isAbsent(answer)) return { is: 'conflict' };
    // Another write was in progress, and neither was refused for its content.
    if (status === 409) return { is: 'again' };
    const cause = s3Refusal(answer, location);
    // What is refused was not written; after any other answer it may have been.
    if (cause instanceof StateError) return { is: 'unknown', cause };
    throw cause;
  }

  async function list(start: string): Promise<readonly string[]> {
    const names: string[] = [];
    for (;;) {
      const last = names.at(-1);
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: `${address.prefix}${start}`,
        ...(last === undefined ? {} : { 'start-after': `${address.prefix}${last}` }),
      });
      const answer = await ask({ method: 'GET', target: `${address.path.replace(/(?<=.)\/$/, '')}?${String(query)}` });
      if (answer.status !== 200) throw s3Refusal(answer, location);
      const text = answer.body.toString('utf8');
      const found = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key.slice(address.prefix.length));
      // A service that ignores where to go on would begin again for ever.
      if ((found.at(-1) ?? '') <= (last ?? '')) return names.filter(isObjectName);
      names.push(...found);
      if (!text.includes('<IsTruncated>true</IsTruncated>')) return names.filter(isObjectName);
    }
  }

  return {
    location,
    read,
    swap,
    list,
    remove: async (names) => {
      for (let next = 0; next < names.length; next += removalsAtOnce)
        await Promise.all(
          names.slice(next, next + removalsAtOnce).map(async (name) => {
            const answer = await ask({ method: 'DELETE', target: targetOf(name) });
            if (answer.status >= 300 && !isAbsent(answer)) throw s3Refusal(answer, location);
          }),
        );
    },
    // Who may use a bucket, and whether it keeps what it confirms, is decided by its service.
    prepare: () => Promise.resolve(),
    timeline: () => Promise.resolve('s3'),
    close: () => {
      connections.close();
      return Promise.resolve();
    },
  };
}

/** Each part of a path as a URL spells it; the parts of names and prefixes are checked where they are read from settings. */
function encoded(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}
