import { refusalAnswer, Refusal, type Answer } from '../answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { badDetail, numberOf } from './detail.ts';
import type { Mode } from './fault.ts';

/** An answer of the service's own shape with a status of one's choice. */
export function statusAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  const code = status === 404 ? undefined : 'EMULATED_FAULT';
  return refusalAnswer(new Refusal(status, code, 'The emulator injected this response.', headers), 'op_fault');
}

function statusIn(detail: string | undefined): number {
  return numberOf(detail, 500, 200, 999);
}

/** The value of Retry-After: a number, a date that many seconds ahead, or an absurdly long time. */
function retryAfter(detail: string): Readonly<Record<string, string>> {
  if (detail === 'absent') return {};
  if (detail === 'absurd') return { 'retry-after': '99999999999999999999' };
  const [, date, seconds = ''] = /^(date\+)?(\d{1,6})$/.exec(detail) ?? [];
  if (seconds === '')
    throw badDetail(
      detail,
      'a number of seconds, `date+SECONDS` (an HTTP date that is so many seconds ahead), `absurd` (99999999999999999999 seconds) or `absent` (no header)',
    );
  return {
    'retry-after': date === undefined ? seconds : new Date(Date.now() + Number(seconds) * 1000).toUTCString(),
  };
}

/**
 * Statuses the service should not give, before the commit or after it: `status-before=503`, `status-after=500`; with an
 * address such as `#7+` a key that has lost its right (`status-before=403@#7+`). `rate-limited=30|date+30|absurd|absent`
 * is a 429; the redirects are a 307.
 */
export const statusFaults: Readonly<Record<string, Mode>> = {
  'status-before': (detail) => {
    const status = statusIn(detail);
    return () => statusAnswer(status);
  },
  'status-after': (detail) => {
    const status = statusIn(detail);
    return async (_, next) => {
      await next();
      return statusAnswer(status);
    };
  },
  'rate-limited': (detail = '1') => {
    retryAfter(detail);
    return () => statusAnswer(429, retryAfter(detail));
  },
  'redirect-same': () => (exchange) => redirect(exchange.origin, exchange),
  'redirect-foreign': () => (exchange) => redirect('http://elsewhere.invalid', exchange),
};

function redirect(origin: string, { path, query }: Exchange): Answer {
  return { status: 307, headers: { location: `${origin}${path}${query === '' ? '' : `?${query}`}` }, body: '' };
}
