import type { Interceptor } from './interceptor.ts';

/** Logs every request as one line of JSON after its answer: no bodies, no headers, no values that no call takes. */
export function requestLog(write: (line: string) => void, now: () => Date): Interceptor {
  return async ({ n, method, path, query }, next) => {
    const time = now().toISOString();
    const begun = performance.now();
    const answer = await next();
    const ms = Math.round((performance.now() - begun) * 1000) / 1000;
    write(
      JSON.stringify({
        n,
        time,
        method,
        path: query === '' ? path : `${path}?${shown(query)}`,
        status: answer.status,
        ...(answer.broken === undefined ? {} : { broken: answer.broken.how }),
        ms,
      }),
    );
    return answer;
  };
}

/** A parameter that no call takes may be anything, a key for instance. */
function shown(query: string): string {
  return query
    .split('&')
    .map((part) => (/^(limit|before_id)=/.test(part) ? part : '…'))
    .join('&');
}
