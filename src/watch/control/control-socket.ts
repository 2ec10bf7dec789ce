import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { chmod, mkdtemp, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import { statusJson } from '../../render/status/status-json.ts';
import { jsonText } from '../../render/text/json-text.ts';
import { closeNow } from '../status/http-replies.ts';
import type { ControlRequests } from './control-requests.ts';

/** A socket over which commands reach a running watch. */
export interface ControlSocket {
  /** Whether commands still reach this process: another one may have replaced the socket. */
  readonly isInPlace: () => Promise<boolean>;
  /** Ends every connection, and removes the socket unless another process has replaced it. */
  readonly close: () => Promise<void>;
}

/** Options of the socket. */
export interface ControlSocketOptions {
  readonly path: string;
  readonly requests: ControlRequests;
  /** The status as it is now; undefined: none yet. */
  readonly status: () => WatchStatus | undefined;
  /** Whether this process is the leader, or paused: a standby reconciles nothing. */
  readonly isActive: () => boolean;
  readonly onError: (error: unknown) => void;
}

// A client cannot name a longer one.
const longestPath = 107;
const signMs = 5_000;

/** Listens on a Unix socket that only its owner can open: it is made in a directory of mode 0700, then moved into its place, where it replaces what a killed process left. */
export async function listenOnSocket({
  path,
  requests,
  status,
  isActive,
  onError,
}: ControlSocketOptions): Promise<ControlSocket> {
  if (Buffer.byteLength(path) > longestPath) throw new Error(`the path is longer than ${String(longestPath)} bytes`);
  const server = createServer((request, response) => {
    replyTo(request, response)
      .then(([code, body]) => response.writeHead(code, { 'content-length': Buffer.byteLength(body) }).end(body))
      .catch((error: unknown) => {
        onError(error);
        response.destroy();
      });
  });
  server.maxConnections = 16;
  const folder = await mkdtemp(join(dirname(path), '.s'));
  const made = join(folder, 's');
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(made, listening);
    });
    server.on('error', onError);
    await chmod(made, 0o600);
    await rename(made, path);
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(made, { force: true });
    await rmdir(folder);
  }
  const { ino } = await stat(path);
  const isInPlace = async (): Promise<boolean> => (await stat(path).catch(() => undefined))?.ino === ino;
  return {
    isInPlace,
    close: async () => {
      await closeNow(server);
      if (await isInPlace()) await rm(path, { force: true });
    },
  };

  async function replyTo({ method, url }: IncomingMessage, response: ServerResponse): Promise<[number, string]> {
    if (method !== 'POST') return [405, 'only POST is supported\n'];
    if (url === '/wake') {
      requests.wake();
      return [202, ''];
    }
    const latest = url === '/status' ? status() : undefined;
    if (latest !== undefined) return [200, jsonText(statusJson(latest))];
    if (url !== '/reconcile') return [404, 'not found\n'];
    if (!isActive()) return [503, 'this process is a standby\n'];
    // A reconciliation takes long: whoever waits for it learns at once, and then regularly, that this process is running.
    response.writeProcessing();
    const sign = setInterval(() => response.writeProcessing(), signMs);
    response.once('close', () => clearInterval(sign));
    return [200, jsonText(statusJson(await requests.reconcile()))];
  }
}
