import type { Answer, Breakage } from '../answer.ts';
import type { Mode } from './modes.ts';

const nothing: Answer = { status: 200, headers: {}, body: '' };

/** The request never gets to the service. */
function before(broken: Breakage): Mode {
  return () => () => ({ ...nothing, broken });
}

/** The request is carried out, and the answer breaks. */
function after(broken: (detail: string | undefined) => Breakage): Mode {
  return (detail) => async (_, next) => ({ ...(await next()), broken: broken(detail) });
}

/** What the connection does: before the commit nothing has happened, after it everything has. `cut=20` lets 20 bytes through. */
export const transportFaults: Readonly<Record<string, Mode>> = {
  'reset-before': before({ how: 'reset' }),
  'reset-after': after(() => ({ how: 'reset' })),
  'stall-before': before({ how: 'stall' }),
  'stall-after': after(() => ({ how: 'stall' })),
  'headers-only': after(() => ({ how: 'headers-only' })),
  cut: after((detail) => ({ how: 'cut', after: Number(detail ?? 10) })),
  'cut-unpromised': after((detail) => ({ how: 'cut-unpromised', after: Number(detail ?? 10) })),
  drip: after((detail) => ({ how: 'drip', everyMs: Number(detail ?? 1000) })),
};
