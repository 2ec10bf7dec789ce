import type { Answer, Breakage } from '../answer.ts';
import { numberOf } from './detail.ts';
import type { Mode } from './fault.ts';

const nothing: Answer = { status: 200, headers: {}, body: '' };

/** The request never gets to the service. */
function before(broken: Breakage): Mode {
  return () => () => ({ ...nothing, broken });
}

/** The request is carried out, and the answer breaks, unless it does not arrive anyway. */
function after(broken: (detail: string | undefined) => Breakage): Mode {
  return (detail) => {
    const breakage = broken(detail);
    return async (_, next) => ({ broken: breakage, ...(await next()) });
  };
}

/** Nobody listens from the request on, for so many milliseconds. The request itself is lost with its connection. */
const refused: Mode = (detail) => {
  const forMs = numberOf(detail, 1000);
  let until = -Infinity;
  const refusal = (): Answer => ({ ...nothing, broken: { how: 'refused', forMs: until - performance.now() } });
  return {
    happen: () => {
      until = Math.max(until, performance.now() + forMs);
      return refusal();
    },
    observe: () => undefined,
    meanwhile: () => (performance.now() < until ? refusal() : undefined),
  };
};

/**
 * What the connection does: before the commit nothing has happened, after it everything has. `cut=20` lets 20 bytes
 * through, `drip=500` a byte each half second, `refused=2000` nobody for two seconds.
 */
export const transportFaults: Readonly<Record<string, Mode>> = {
  refused,
  'stale-keep-alive': before({ how: 'closed' }),
  'reset-before': before({ how: 'reset' }),
  'reset-after': after(() => ({ how: 'reset' })),
  'stall-before': before({ how: 'stall' }),
  'stall-after': after(() => ({ how: 'stall' })),
  'headers-only': after(() => ({ how: 'headers-only' })),
  cut: after((detail) => ({ how: 'cut', after: numberOf(detail, 10) })),
  'cut-unpromised': after((detail) => ({ how: 'cut-unpromised', after: numberOf(detail, 10) })),
  drip: after((detail) => ({ how: 'drip', everyMs: numberOf(detail, 1000) })),
};
