import type { Answered, Exchange, Step } from './fixture.ts';
import { mismatches } from './matcher.ts';
import { spellOut, spellOutLine, type Captured, type Json } from './words.ts';

/** A request as it goes over the wire. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Which operations may be used, and which rules are enforced. */
export type Profile = 'completed' | 'documented';

/** Whether an exchange says anything about a profile. */
export function holdsIn(exchange: Exchange, profile: Profile): boolean {
  return (
    profile === 'completed' ||
    exchange.since === 'described' ||
    exchange.documented === 'same' ||
    exchange.steps.some((step) => step.documented !== undefined)
  );
}

/** Sends an exchange's requests one by one and reports where the answers are not what it says. */
export async function replay(
  exchange: Exchange,
  profile: Profile,
  shapes: Readonly<Record<string, Json>>,
  handle: (request: Sent) => Promise<Received> | Received,
  letPass: (seconds: number) => void = () => undefined,
): Promise<readonly string[]> {
  const captured: Record<string, Json> = {};
  for (const step of exchange.steps) {
    const instead = profile === 'documented' ? step.documented : undefined;
    letPass(step.after ?? 0);
    const received = await handle(requestOf(step, captured, shapes));
    const wrong = answerMismatches(instead ?? step, received, (value) => spellOut(value, captured, shapes));
    if (wrong.length > 0) return [`${step.send} ${JSON.stringify(step.body ?? step.raw ?? null)}`, ...wrong];
    if (instead !== undefined) return [];
    if (step.as !== undefined) captured[step.as] = JSON.parse(received.body) as Json;
  }
  return [];
}

/** The request of a step, with the headers every request carries. */
export function requestOf(step: Step, captured: Captured, shapes: Readonly<Record<string, Json>>): Sent {
  const put = (value: Json): Json => spellOut(value, captured, shapes);
  const [method = '', ...path] = spellOutLine(step.send, captured).split(' ');
  const body = bodyOf(step, put, captured);
  const headers = {
    Authorization: 'Bearer contract-key',
    'Example-Version': '2',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...step.headers,
  };
  return {
    method,
    path: pathOnly(path.join(' ')),
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '<absent>')),
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf({ raw, body }: Step, put: (value: Json) => Json, captured: Captured): string | undefined {
  if (raw !== undefined) return spellOutLine(raw, captured);
  return body === undefined ? undefined : JSON.stringify(put(body));
}

/** What an expected answer's status and body are; a refusal has the error body. */
export function expectedOf({ answer, reads, refused, code }: Answered): {
  readonly status: number;
  readonly body?: Json;
} {
  if (refused === undefined) return { status: answer ?? 0, ...(reads === undefined ? {} : { body: reads }) };
  return {
    status: refused,
    body: { is: 'Error', status_code: refused, ...(code === undefined ? {} : { error_code: code }) },
  };
}

function answerMismatches(expected: Answered, received: Received, put: (value: Json) => Json): readonly string[] {
  const { status, body } = expectedOf(expected);
  if (received.status !== status)
    return [`status should be ${status} and is ${received.status}: ${received.body.slice(0, 500)}`];
  if (status === 204) return received.body === '' ? [] : [`a 204 has a body: ${received.body}`];
  return [
    ...(body === undefined ? [] : mismatches(put(body), JSON.parse(received.body) as Json)),
    ...Object.entries(expected.with ?? {}).flatMap(([name, value]) => mismatches(value, header(received, name), name)),
  ];
}

function header({ headers }: Received, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return typeof found === 'object' ? found.join(', ') : found;
}

function pathOnly(uri: string): string {
  return uri.replace(/^https?:\/\/[^/]+/, '');
}
