import { reasonOf } from '../../../diagnostics/reason-of.ts';
import { linkedAbort } from '../../../watch/linked-abort.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { fleetJsonSchema } from '../../../render/status/fleet/fleet-json-schema.ts';
import { stackUrl } from '../../../render/status/stack-url.ts';
import { connectionsBy, networkChoice } from '../../../stack/settings/network-settings.ts';
import { stackFileAtHand } from '../../../stack/stack-file-at-hand.ts';
import type { Context } from '../../context.ts';
import { askRunning, statusIn, watchHere } from './ask-running.ts';
import { fleetText } from './fleet-text.ts';
import { stackText } from './stack-text.ts';
import { exitCodeOfFleet, exitCodeOfStatus } from './status-exit-code.ts';
import { parsedJson } from '../../../model/json-object.ts';

const defaultUrl = 'http://127.0.0.1:9470';
const mostBytes = 32 * 1024 * 1024;
const timeoutMs = 10_000;

/** Prints the status of a running watch: that of the stack here, over its socket, or what a status page has. */
export async function statusCommand(
  context: Context,
  stack: string | undefined,
  flags: { readonly url?: string },
): Promise<number> {
  const isHere = flags.url === undefined && stack === undefined && stackFileAtHand(context) !== undefined;
  const page = (flags.url ?? defaultUrl).replace(/(?:\/status\.json)?\/*$/, '/');
  const url = new URL(`${stack === undefined ? '' : stackUrl(stack.replace(/\/+$/, ''))}status.json`, page);
  const asked = { page, url, isGiven: flags.url !== undefined, isOfStack: stack !== undefined };
  const answer = parsedJson(isHere ? await askRunning(context, '/status') : await load(asked, context));
  const fleet = fleetJsonSchema.safeParse(answer).data;
  if (fleet !== undefined) {
    context.result(
      () => fleetText(fleet, context.palette),
      () => fleet,
    );
    return exitCodeOfFleet(fleet);
  }
  const status = statusIn(answer, isHere ? watchHere : { from: safeText(url.href, 200), hint: notAPage });
  context.result(
    () => stackText(status),
    () => status,
  );
  return exitCodeOfStatus(status);
}

interface AskedPage {
  readonly page: string;
  readonly url: URL;
  readonly isGiven: boolean;
  readonly isOfStack: boolean;
}

async function load(asked: AskedPage, context: Context): Promise<string> {
  const { io } = context;
  const { url, isGiven } = asked;
  const connections = connectionsBy(networkChoice(context, {}, io.cwd), { connections: 1 });
  // No `AbortSignal.any`: on Node 20, it loses a timeout when memory is collected.
  const over = linkedAbort(io.signal, AbortSignal.timeout(timeoutMs));
  try {
    const { statusCode, body } = await (io.network ?? connections.dispatcher).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      signal: over.signal,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) throw noStatus(url, `the response is longer than ${String(mostBytes)} bytes`, notAPage);
      chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    if (statusCode !== 200)
      throw noStatus(url, `${String(statusCode)} ${safeText(text.trim(), 200)}`, hintFor(statusCode, asked));
    return text;
  } catch (error) {
    if (error instanceof SluiceError) throw error;
    const where = isGiven ? 'check the URL' : 'pass the URL of the status page with --url';
    throw noStatus(url, reasonOf(error), `${where}, and check that \`sluice watch\` runs there`);
  } finally {
    over.release();
    await connections.close();
  }
}

const notAPage = 'pass the URL of the status page of `sluice watch`, and use the same version of sluice as the watch';

/** What to do about an answer without a status: the page is there, so that the watch runs needs no check. */
function hintFor(statusCode: number, { page, isOfStack }: AskedPage): string {
  const list = `\`sluice status --url ${safeText(page, 200)}\``;
  if (statusCode === 503)
    return `the watch is running, but cannot return a status for the reason in the message; run ${list} to see what to do for each stack`;
  if (statusCode === 404 && isOfStack) return `run ${list} to list the stacks of that watch`;
  return notAPage;
}

function noStatus(url: URL, why: string, hint: string): SluiceError {
  return new SluiceError('WATCH_NOT_REACHABLE', `${safeText(url.href, 200)} returned no status: ${why}`, { hint });
}
