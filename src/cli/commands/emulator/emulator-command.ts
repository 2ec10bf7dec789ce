import { aborted } from '../../../api/clock.ts';
import { hostInUrl, isLoopback } from '../../../model/host-in-url.ts';
import { closeSync, writeSync } from 'node:fs';
import type { Rate } from '../../../api/rate/rate.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { systemReason, writeHint } from '../../../diagnostics/system-reason.ts';
import { control } from '../../../emulator/control/control.ts';
import { isControl } from '../../../emulator/control/admission.ts';
import type { Emulator } from '../../../emulator/emulator.ts';
import { selfSignedIdentity } from '../../../emulator/certificates/certificates-x509.ts';
import type { EmulatorOptions } from '../../../emulator/options.ts';
import { openToWrite } from '../../../files/open-to-write.ts';
import { withoutLinks } from '../../../files/real-path.ts';
import { serve, type ListeningServer, type ListenAddress } from '../../../emulator/http/server.ts';
import { present } from '../../../model/present.ts';
import { closeAfter, unclosedCode } from '../../close-after.ts';
import type { Context } from '../../context.ts';
import { tuneForLongRun } from '../../v8-settings.ts';
import { exitCodes } from '../../exit-code.ts';
import { tlsIdentity } from './tls-identity.ts';
import { closeAll } from '../../../stack/close-all.ts';
import { lockAccount } from '../../../stack/service/account-lock.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { emulatorSetup } from './emulator-setup.ts';
import { gatewayOptions, type GatewayFlags } from './gateway-flags.ts';
import { accountKeeper } from '../../../stack/service/account-file.ts';

/** The address, data, behaviour and faults of the emulator. */
export interface EmulatorFlags extends Omit<EmulatorOptions, 'clock' | 'kinds' | 'externals'>, GatewayFlags {
  readonly host: string;
  readonly port: number;
  readonly allowRemote?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly data?: string;
  readonly seedFile?: string;
  readonly agents?: number;
  readonly clock?: Date;
  readonly rateLimit?: Rate;
  readonly burst?: number;
  readonly concurrencyLimit?: number;
  readonly latency?: number;
  readonly fault?: readonly string[];
  readonly log?: string;
  readonly external?: readonly string[];
}

/** Serves the emulator until it is interrupted; the first line of the output is the base URL. */
export async function emulator(context: Context, flags: EmulatorFlags): Promise<number> {
  tuneForLongRun();
  const { host, allowRemote } = flags;
  if (!isLoopback(hostInUrl(host)) && allowRemote !== true)
    throw new UsageError(
      `--host ${host} is reachable from other machines, and the emulator has no access control`,
      'pass --allow-remote to listen on this host anyway',
    );
  if (flags.data === undefined) return served(context, flags);
  // The file is replaced, and a link to it stays.
  const data = withoutLinks(flags.data);
  const unlock = await lockAccount(data);
  return closeAfter(context, unlock, () => served(context, { ...flags, data }), unclosedCode);
}

async function served(context: Context, flags: EmulatorFlags): Promise<number> {
  const { host, port, data, log: logTo } = flags;
  const { io } = context;
  const tls = tlsIdentity(flags, io.cwd);
  const log = logTo === undefined ? undefined : openLog(logTo, io.err);
  const controlled = emulatorSetup(flags, log?.write);
  const { emulator: running } = controlled;
  if (context.logs('debug'))
    running.intercept(async ({ method, path }, next) => {
      const answer = await next();
      context.log('debug', `${method} ${safeText(path)} ${answer.status}`);
      return answer;
    });
  const keeper =
    data === undefined
      ? undefined
      : accountKeeper(running, data, (error) =>
          context.log('warn', `cannot save the account: ${error instanceof Error ? error.message : 'unknown'}`),
        );
  const answerControl = control(controlled);
  const gateway = await serveGateway(running, flags, tls);
  const api = await accepting('--port', host, port, () =>
    serve((request) => {
      if (request.method !== 'GET') keeper?.changed();
      return isControl(request.path) ? answerControl(request) : running.handle(request);
    }, present({ host, port, tls })),
  ).catch(async (error: unknown) => {
    await gateway?.close();
    throw error;
  });
  io.out(`${api.url}\n${gateway === undefined ? '' : `${gateway.url}\n`}`);
  context.log('info', `emulator of the Tunnel Management API listening on ${api.url}; press Ctrl-C to stop it`);
  if (gateway !== undefined) context.log('info', `gateway of the emulator listening on ${gateway.url}`);
  await aborted(io.signal);
  await closeAll(
    api.close,
    () => gateway?.close(),
    () => keeper?.end(),
    () => Promise.resolve(log?.close()),
  );
  return exitCodes.done;
}

/** Serves the gateway of the emulator, if the flags ask for one. */
async function serveGateway(
  running: Emulator,
  flags: EmulatorFlags,
  identity: ListenAddress['tls'],
): Promise<ListeningServer | undefined> {
  const asked = gatewayOptions(flags);
  if (asked === undefined) return undefined;
  const { host } = flags;
  const { port, options } = asked;
  const tls = flags.gatewayTls === true ? (identity ?? selfSignedIdentity(new Date())) : undefined;
  const gateway = running.gateway(options);
  return accepting('--gateway', host, port, () => gateway.listen(present({ host, port, tls })));
}

/** A server, once it accepts requests; an address that it cannot have is a mistake in a flag. */
async function accepting(
  flag: string,
  host: string,
  port: number,
  open: () => Promise<ListeningServer>,
): Promise<ListeningServer> {
  try {
    return await open();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `cannot listen on ${host}:${port}: ${code === 'EADDRINUSE' ? 'the port is in use' : message}`,
      `choose another ${flag}, or ${flag} 0 for a free port`,
    );
  }
}

/** Lines are not buffered, so that a reader sees each request as it happens. */
function openLog(
  to: string,
  err: (text: string) => void,
): { readonly write: (line: string) => void; readonly close: () => void } {
  if (to === '-') return { write: (line) => err(`${line}\n`), close: () => undefined };
  try {
    const file = openToWrite(to, 'append', 0o600);
    return { write: (line) => void writeSync(file, `${line}\n`), close: () => closeSync(file) };
  } catch (error) {
    throw new UsageError(`--log: cannot write ${to}: ${systemReason(error)}`, writeHint(error));
  }
}
