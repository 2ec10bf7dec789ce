import type { Check } from '../kind.ts';
import { portPattern, withoutScheme } from './web-names.ts';

const label = '[A-Za-z0-9*_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?';
const hostname = `${label}(?:\\.${label})*`;
const parts = new RegExp(`^(${hostname}):[0-9]{1,5}$`);
const whole = new RegExp(`^${hostname}:${portPattern}$`);

/** `hostname:port` with a port from 1 to 65535. */
export const hostport: Check = {
  code: 'INVALID_HOSTPORT',
  since: 'completed',
  schema: { pattern: whole.source, maxLength: 259 },
  test: (value) => {
    const text = String(value);
    if (text.length > 260) return 'must be `hostname:port`, at most 260 characters';
    if ((parts.exec(text)?.[1]?.length ?? Infinity) > 253)
      return 'must be `hostname:port`, such as shop.example.com:443';
    return whole.test(text) ? undefined : 'has a port outside the range 1 to 65535';
  },
  hint: (text) => withoutScheme(text, withPort, (meant) => hostport.test(meant)),
};

function withPort(text: string): string | undefined {
  const [place] = /^[^/?#]*/.exec(text) ?? [''];
  return place === '' || place.includes(':') ? place : `${place}:443`;
}
