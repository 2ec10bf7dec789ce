import type { Mode } from './modes.ts';

/** When and how often a request is carried out: `late-commit=500` does it that many milliseconds after the client lost it. */
export const commitFaults: Readonly<Record<string, Mode>> = {
  'executed-twice': () => async (_, next) => {
    const first = await next();
    const second = await next();
    return second.status < 400 ? second : first;
  },
  'late-commit': (detail) => (_, next) => {
    setTimeout(() => void next(), Number(detail ?? 500)).unref();
    return { status: 200, headers: {}, body: '', broken: { how: 'reset' } };
  },
};
