import { Agent, type Dispatcher } from 'undici';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { serve } from '../../src/emulator/http/server.ts';

/** How requests get to the service in a case. */
export interface Road {
  readonly baseUrl: string;
  readonly dispatcher: () => Dispatcher;
  /** Nothing is on its way: whatever is not over yet waits for time to pass. */
  readonly isQuiet: () => boolean;
  readonly close: () => Promise<void>;
}

/** Cases are carried over real sockets where this says `http`. */
export const isOverHttp = process.env['MATRIX_OVER'] === 'http';

/** Opens the way to an emulator: inside the process, or over HTTP. */
export async function roadTo(emulator: Emulator): Promise<Road> {
  if (isOverHttp) return overHttp(emulator);
  return {
    baseUrl: 'http://127.0.0.1',
    dispatcher: () => emulator.dispatcher(),
    isQuiet: () => true,
    close: () => Promise.resolve(),
  };
}

const tag = 'x-case-request';
const neverOver = new Set(['stall', 'headers-only', 'drip']);

async function overHttp(emulator: Emulator): Promise<Road> {
  const underWay = new Set<string>();
  const waiting = new Set<string>();
  let sent = 0;
  const { url, close } = await serve(async (request) => {
    const number = String(request.headers?.[tag]);
    waiting.add(number);
    const answer = await emulator.handle(request);
    if (!neverOver.has(answer.broken?.how ?? '')) waiting.delete(number);
    return answer;
  });
  // Time is simulated, and undici's own timers would be part of it.
  const agent = new Agent({ pipelining: 0, connect: { timeout: 0 }, headersTimeout: 0, bodyTimeout: 0 });
  const counted = agent.compose((dispatch) => (options, handler) => {
    const number = String((sent += 1));
    underWay.add(number);
    const over = (): void => void underWay.delete(number);
    return dispatch(
      { ...options, headers: { ...(options.headers as Record<string, string>), [tag]: number } },
      ending(handler, over),
    );
  });
  return {
    baseUrl: url,
    dispatcher: () => counted,
    isQuiet: () => [...underWay].every((number) => waiting.has(number)),
    close: async () => {
      await agent.destroy();
      await close();
    },
  };
}

function ending(handler: Dispatcher.DispatchHandler, over: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...all) => handler.onRequestStart?.(...all),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart: (...all) => handler.onResponseStart?.(...all),
    onResponseData: (...all) => handler.onResponseData?.(...all),
    onResponseEnd: (...all) => {
      over();
      handler.onResponseEnd?.(...all);
    },
    onResponseError: (...all) => {
      over();
      handler.onResponseError?.(...all);
    },
  };
}
