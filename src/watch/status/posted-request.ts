import type { IncomingMessage } from 'node:http';
import { textReply, type Reply } from './reply.ts';

/** A request with JSON that no page of another origin can have sent. */
export interface PostedRequest {
  readonly headers: NodeJS.Dict<string[]>;
  readonly text: string;
  /** The address it came from. */
  readonly from: string | undefined;
}

/** Answers a posted request. */
export type AnswerPost = (request: PostedRequest) => Promise<Reply>;

const maxBytes = 8_192;

/** Reads a request, or refuses it: it must have short JSON, and come from a page of this server or from no page. */
export async function postedRequest(
  request: IncomingMessage,
  origins: readonly string[],
): Promise<PostedRequest | { readonly refused: Reply }> {
  const { headers, headersDistinct, socket } = request;
  const refused = (status: number, text: string): { readonly refused: Reply } => ({ refused: textReply(status, text) });
  if (!isFromHere(headers, origins)) return refused(403, 'the request comes from a page of another origin');
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(headers['content-type'] ?? ''))
    return refused(415, 'the content type must be application/json');
  const length = headers['content-length'];
  if (length === undefined) return refused(411, 'the request must have a Content-Length');
  if (Number(length) > maxBytes) return refused(413, `the body is longer than ${String(maxBytes)} bytes`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { headers: headersDistinct, text: Buffer.concat(chunks).toString('utf8'), from: socket.remoteAddress };
}

/** Browsers send the origin of the page with a request; other programs do not. */
function isFromHere(
  { origin, host, 'sec-fetch-site': site = 'same-origin' }: IncomingMessage['headers'],
  origins: readonly string[],
): boolean {
  if (site !== 'same-origin') return false;
  return origin === undefined || origins.includes(origin) || (URL.canParse(origin) && new URL(origin).host === host);
}
