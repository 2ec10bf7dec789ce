import { expect, onTestFinished, test } from 'vitest';
import { quoted } from '../../src/diagnostics/quoted.ts';
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
    caller: {},
    log: (level, event, message) => log.push(`${level} ${event}: ${message.replace(/:\d+$/, ':PORT')}`),
  });
  onTestFinished(servers.close);
  return { url: servers.url?.replace(/:\d+$/, ':PORT'), log };
}

test('a process serves the status page and the probes at the configured addresses, and logs them', async () => {
  expect(await listening(false)).toEqual({ url: undefined, log: [] });
  expect(await listening('127.0.0.1:0', '127.0.0.1:0')).toEqual({
    url: 'http://127.0.0.1:PORT',
    log: ['info serving: status page at http://127.0.0.1:PORT', 'info serving: health probes at http://127.0.0.1:PORT'],
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

test.each(['localhost', 'nonsense', '::x', '::1:9470', ':9470', '', '127.0.0.1:', '127.0.0.1:65536'])(
  'nothing is served if an address is %j, which is not host:port',
  async (wrong) => {
    for (const [flag, listen, listenProbes] of [
      ['listen', wrong, false],
      ['listen-probes', '127.0.0.1:0', wrong],
    ] as const) {
      const open = new Set<string>();
      await expect(listenForStatus({ listen, listenProbes, ...recorded(open) })).rejects.toMatchObject({
        name: 'UsageError',
        message: `the address of --${flag} must be host:port, not ${quoted(wrong)}`,
        hint: `set --${flag} to an address such as 127.0.0.1:9470, or use --no-${flag}`,
      });
      expect(open).toEqual(new Set());
    }
  },
);

test('where the probes cannot be served, the status page is closed again', async () => {
  const open = new Set<string>();
  const { serve, caller, log } = recorded(open);
  const serveProbes = () => {
    expect(open).toEqual(new Set(['a.example:80']));
    return Promise.reject(new Error('in use'));
  };
  const listening = listenForStatus({
    listen: 'a.example:80',
    listenProbes: 'b.example:80',
    serve,
    serveProbes,
    caller,
    log,
  });
  await expect(listening).rejects.toThrow('cannot listen on b.example:80');
  expect(open).toEqual(new Set());
});

/** Servers that only record where they are open. */
function recorded(open: Set<string>) {
  const serve = ({ host, port }: { readonly host: string; readonly port: number }) => {
    const place = `${host}:${port}`;
    open.add(place);
    return Promise.resolve({ url: `http://${place}`, close: () => Promise.resolve(void open.delete(place)) });
  };
  return { serve, serveProbes: serve, caller: {}, log: () => undefined };
}
