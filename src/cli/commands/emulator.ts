import { isLoopback } from '../../api/base-url.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { createEmulator, type Emulator } from '../../emulator/emulator.ts';
import type { EmulatorOptions } from '../../emulator/options.ts';
import { loadAccount, saveAccount } from '../account-file.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { UsageError } from '../usage-error.ts';

/** Where the emulator listens, what it keeps, and how it behaves. */
export interface EmulatorFlags extends Pick<
  EmulatorOptions,
  | 'vendor'
  | 'profile'
  | 'seed'
  | 'apiKey'
  | 'readBack'
  | 'cookiePrefix'
  | 'secrets'
  | 'strictRefs'
  | 'edgeEndpoints'
  | 'nextPageUri'
  | 'pageSize'
  | 'listOrder'
  | 'abuseReports'
> {
  readonly host: string;
  readonly port: number;
  readonly allowRemote?: boolean;
  readonly data?: string;
  /** Ids that exist without being managed here. */
  readonly external?: readonly string[];
}

/** Serves the emulator until it is told to stop; the base URL alone is the first line of the result. */
export async function emulator(context: Context, flags: EmulatorFlags): Promise<number> {
  const { host, port, allowRemote, data, external, ...behaviour } = flags;
  const { io } = context;
  if (!isLoopback(host.includes(':') ? `[${host}]` : host) && allowRemote !== true)
    throw new UsageError(
      `${host} can be reached from other machines, and the emulator is no protected service`,
      'say --allow-remote if that is meant',
    );
  const running = createEmulator({ ...behaviour, ...(external === undefined ? {} : { externals: external }) });
  if (data !== undefined) await loadAccount(running, data);
  if (context.logs('debug'))
    running.intercept(async ({ method, path }, next) => {
      const answer = await next();
      context.log('debug', `${method} ${safeText(path)} ${answer.status}`);
      return answer;
    });
  const { url, close } = await listen(running, host, port);
  io.out(`${url}\n`);
  context.log('info', `emulator of the Tunnel Management API at ${url}; Ctrl-C ends it`);
  await aborted(io.signal);
  await close();
  if (data !== undefined) await saveAccount(running, data);
  return exitCodes.done;
}

async function listen(running: Emulator, host: string, port: number): ReturnType<Emulator['listen']> {
  try {
    return await running.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `cannot listen on ${host}:${port}: ${code === 'EADDRINUSE' ? 'something else does already' : message}`,
      'another --port, or --port 0 for any that is free',
    );
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}
