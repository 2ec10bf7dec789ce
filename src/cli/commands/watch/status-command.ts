import { resolve } from 'node:path';
import { reasonOf } from '../../../api/connection/not-connected.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { findStackFile } from '../../../manifest/stack-file/stack-file.ts';
import { fleetJsonSchema } from '../../../render/status/fleet/fleet-json-schema.ts';
import { stackUrl } from '../../../render/status/stack-url.ts';
import { statusJsonSchema } from '../../../render/status/status-json-schema.ts';
import { connectionsBy, networkChoice } from '../../../stack/settings/network-settings.ts';
import type { Context } from '../../context.ts';
import { askRunning } from './ask-running.ts';
import { exitCodeOfFleet, fleetText } from './fleet-text.ts';
import { exitCodeOfStatus, stackText } from './stack-text.ts';

const defaultUrl = 'http://127.0.0.1:9470';
const mostBytes = 32 * 1024 * 1024;
const timeoutMs = 10_000;

/** Prints the status of a running watch: that of the stack here, over its socket, or what a status page has. */
export async function statusCommand(
  context: Context,
  stack: string | undefined,
  flags: { readonly url?: string },
): Promise<number> {
  const { io, dir = '.' } = context;
  const isHere = flags.url === undefined && stack === undefined && findStackFile(resolve(io.cwd, dir)) !== undefined;
  const url = new URL(
    `${stack === undefined ? '' : stackUrl(stack.replace(/\/+$/, ''))}status.json`,
    (flags.url ?? defaultUrl).replace(/\/*$/, '/'),
  );
  const answer = jsonIn(isHere ? await askRunning(context, '/status') : await load(url, context));
  const fleet = fleetJsonSchema.safeParse(answer).data;
  if (fleet !== undefined) {
    context.result(
      () => fleetText(fleet, context.palette),
      () => fleet,
    );
    return exitCodeOfFleet(fleet);
  }
  const status = statusJsonSchema.safeParse(answer).data;
  if (status === undefined)
    throw notReachable(url, 'the response is not a status that this version of sluice understands');
  context.result(
    () => stackText(status),
    () => status,
  );
  return exitCodeOfStatus(status);
}

async function load(url: URL, context: Context): Promise<string> {
  const { io } = context;
  const connections = connectionsBy(networkChoice(context, {}, io.cwd), { connections: 1 });
  try {
    const { statusCode, body } = await (io.network ?? connections.dispatcher).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) throw notReachable(url, `its answer is longer than ${String(mostBytes)} bytes`);
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    if (statusCode !== 200) throw notReachable(url, `${String(statusCode)} ${safeText(text.trim(), 200)}`);
    return text;
  } catch (error) {
    throw error instanceof SluiceError ? error : notReachable(url, reasonOf(error));
  } finally {
    await connections.close();
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notReachable(url: URL, why: string): SluiceError {
  return new SluiceError('WATCH_NOT_REACHABLE', `${safeText(url.href, 200)} has no status: ${why}`, {
    hint: 'check that `sluice watch` runs there, or pass the URL of its status page with --url',
  });
}
