import { expect, onTestFinished, test } from 'vitest';
import { listenForStatus } from '../../src/watch/listen-for-status.ts';
import { serveReplies } from '../../src/watch/status/http-replies.ts';

/** The servers of a process that listens at addresses, and what it logs. */
async function listening(listen: string | false, listenProbes: string | false = false) {
  const log: string[] = [];
  const serve = (at: { readonly host: string; readonly port: number }) =>
    serveReplies({ ...at, find: () => undefined, onError: () => undefined });
  const servers = await listenForStatus({
    listen,
    listenProbes,
    serve,
    serveProbes: serve,
    log: (level, event, message) => log.push(`${level} ${event}: ${message.replace(/:\d+$/, ':PORT')}`),
  });
  onTestFinished(servers.close);
  return { url: servers.url?.replace(/:\d+$/, ':PORT'), log };
}

test('a process serves the status page and the probes at the configured addresses, and logs them', async () => {
  expect(await listening(false)).toEqual({ url: undefined, log: [] });
  expect(await listening('127.0.0.1:0', '127.0.0.1:0')).toEqual({
    url: 'http://127.0.0.1:PORT',
    log: ['info serving: status page at http://127.0.0.1:PORT', 'info serving: probes at http://127.0.0.1:PORT'],
  });
  expect((await listening('[::1]:0')).url).toBe('http://[::1]:PORT');
});

test('an address that stands for all of a machine does not say where others reach it', async () => {
  for (const all of ['0.0.0.0', '[::]'])
    expect(await listening(`${all}:0`)).toEqual({
      url: undefined,
      log: [`info serving: status page at http://${all}:PORT`],
    });
});

test.each<[string, string | false, string?]>([
  ['listen', '256.0.0.1:0'],
  ['listen-probes', false, '256.0.0.1:0'],
])('an address that cannot be listened on is an error that names --%s', async (flag, listen, listenProbes) => {
  await expect(listening(listen, listenProbes)).rejects.toMatchObject({
    message: expect.stringContaining('cannot listen on 256.0.0.1:0: ') as string,
    hint: `set --${flag} to another address (port 0 selects a free port), or use --no-${flag}`,
  });
});
