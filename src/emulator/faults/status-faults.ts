import { refusalAnswer, refuse, type Answer } from '../answer.ts';
import type { Mode } from './modes.ts';

/** An answer of the service's own shape with a status of one's choice. */
function told(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  const code = status === 404 ? undefined : 'EMULATED_FAULT';
  return refusalAnswer(refuse(status, code, 'The emulator was told to answer so.', headers), 'op_fault');
}

/** What stands in Retry-After: a number as it is, a date that many seconds ahead, or more than anybody waits. */
function retryAfter(detail: string): Readonly<Record<string, string>> {
  if (detail === 'absent') return {};
  if (detail === 'absurd') return { 'retry-after': '99999999999999999999' };
  const date = /^date\+(\d+)$/.exec(detail);
  return {
    'retry-after': date === null ? detail : new Date(Date.now() + Number(date[1]) * 1000).toUTCString(),
  };
}

/** Statuses the service should not give: `status-before=503`, `status-after=500`, `rate-limited=30|date+30|absurd|absent`. */
export const statusFaults: Readonly<Record<string, Mode>> = {
  'status-before': (detail) => () => told(Number(detail ?? 500)),
  'status-after': (detail) => async (_, next) => {
    await next();
    return told(Number(detail ?? 500));
  },
  'rate-limited':
    (detail = '1') =>
    () =>
      told(429, retryAfter(detail)),
  'redirect-same':
    () =>
    ({ origin, path }) => ({ status: 307, headers: { location: `${origin}${path}` }, body: '' }),
  'redirect-foreign': () => (exchange) => ({
    status: 307,
    headers: { location: `http://elsewhere.invalid${exchange.path}` },
    body: '',
  }),
};
