import { request } from 'node:http';
import type { Backend } from '../../state/backend.ts';

/** What a running watch answered over its socket; undefined: no watch listens there. */
export async function askWatch(
  path: string,
  what: '/wake' | '/reconcile' | '/status',
  signal?: AbortSignal,
): Promise<string | undefined> {
  return new Promise((done, failed) => {
    const sent = request({ socketPath: path, path: what, method: 'POST', ...(signal === undefined ? {} : { signal }) });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 202) done(text);
        else failed(new Error(text.trim()));
      });
      response.on('error', failed);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (isNotThere(error.code)) done(undefined);
      else failed(error);
    });
    sent.end();
  });
}

function isNotThere(code: string | undefined): boolean {
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR';
}

/** Has a running watch read its pauses and approvals now. Whether one does; if not, it reads them at its next poll. */
export async function wakeWatch({ socketPath }: Pick<Backend, 'socketPath'>): Promise<boolean> {
  if (socketPath === undefined) return false;
  return askWatch(socketPath, '/wake', AbortSignal.timeout(5_000)).then(
    (answer) => answer !== undefined,
    () => false,
  );
}
