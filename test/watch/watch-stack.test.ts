import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { watchStack, type WatchStackOptions } from '../../src/watch/watch-stack.ts';
import { directory } from '../cli/terminal.ts';
import { until } from '../support/until.ts';
import { stackFiles } from './fleet/start-fleet.ts';

type Chosen = Omit<WatchStackOptions, 'dir' | 'env' | 'signal'>;

/** A watch of one stack with one address, as a program runs it, with these settings in `watch` of `sluice.yaml`. */
async function watched(settings: string, options: Chosen = {}) {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen({});
  const files = stackFiles('shop', 'shop', '5c1e7a90');
  const file =
    files['shop/sluice.yaml']?.replace('watch: {', `watch: {${settings === '' ? '' : `${settings}, `}`) ?? '';
  const dir = join(await directory({ ...files, 'shop/sluice.yaml': file }), 'shop');
  const over = new AbortController();
  const ended = watchStack({
    dir,
    env: { SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: url },
    signal: over.signal,
    ...options,
  });
  const stop = async (): Promise<void> => {
    over.abort();
    await ended;
  };
  onTestFinished(async () => {
    await stop().catch(() => undefined);
    await close();
  });
  return { described: () => emulator.snapshot().resources.map(({ spec }) => spec['description']), dir, stop };
}

test('a program gets each status and each event of its watch, with the name of the stack', async () => {
  const [statuses, log]: [string[], string[]] = [[], []];
  const { described, stop } = await watched('listen: false', {
    onStatus: ({ conditions }) => statuses.push(conditions.find(({ type }) => type === 'Ready')?.reason ?? ''),
    onLog: (level, event, message, fields) => log.push(`${level} ${event} of ${String(fields?.['stack'])}: ${message}`),
  });
  await until(() => statuses.at(-1) === 'InSync');
  await stop();
  expect(described()).toEqual(['Of shop']);
  expect(log).toContain('info ended of shop: stopped');
});

test('a watch listens where its program says, else where sluice.yaml says', async () => {
  const served = async (settings: string, options: Chosen): Promise<string> => {
    let log = '';
    const { stop } = await watched(settings, {
      onLog: (_, event, message) => (log += `${event}: ${message}\n`),
      ...options,
    });
    await until(() => log.includes('started: '));
    await stop();
    return [...log.matchAll(/^serving: (.*) at http/gm)].map(([, what = '']) => what).join(', ');
  };
  const own = 'listen: "127.0.0.1:0", listen_probes: "127.0.0.1:0"';
  expect(await served(own, {})).toBe('status page, health probes');
  expect(await served(own, { listen: false })).toBe('health probes');
  expect(await served(own, { listenProbes: false })).toBe('status page');
  expect(await served('listen: false', { listenProbes: '127.0.0.1:0' })).toBe('health probes');
});

test('sluice.yaml alone cannot serve the status page to other machines', async () => {
  await expect((await watched('listen: "0.0.0.0:0"')).stop()).rejects.toMatchObject({
    message: 'watch.listen in sluice.yaml must be an address of this machine, such as 127.0.0.1:9470, not "0.0.0.0:0"',
    hint: 'to serve the status page to other machines, set the address with `listen`, which no commit can change',
  });
});

test('an address that is in use is an error that names the option of the program', async () => {
  const { url, close } = await createEmulator().listen({});
  onTestFinished(close);
  const taken = new URL(url).host;
  for (const option of ['listen', 'listenProbes'])
    await expect((await watched('listen: false', { [option]: taken })).stop()).rejects.toMatchObject({
      message: expect.stringContaining(`cannot listen on ${taken}: `) as string,
      hint: `set \`${option}\` to another address (port 0 selects a free port), or set \`${option}\` to false`,
    });
});

test('the metrics of a watch count the requests that it has sent', async () => {
  let log = '';
  const { described, stop } = await watched('', { listen: '127.0.0.1:0', onLog: (_, __, message) => (log += message) });
  await until(() => described().length === 1);
  const url = /status page at (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1] ?? '';
  const metrics = await (await fetch(`${url}/metrics`)).text();
  await stop();
  expect(metrics).toMatch(/^sluice_api_requests_total\{.*method="GET".*\} [1-9]/m);
});

test('a watch waits for file events, unless its program wants the files to be polled', async () => {
  const listeners = (): number => process.getActiveResourcesInfo().filter((one) => one === 'FSEventWrap').length;
  const none = listeners();
  const added = async (options: Chosen): Promise<number> => {
    const { described, stop } = await watched('listen: false', options);
    await until(() => described().length === 1);
    const now = listeners();
    await stop();
    return now - none;
  };
  expect(await added({ poll: true })).toBe(0);
  expect(await added({})).toBeGreaterThan(0);
});

test('what the program decides may change in sluice.yaml while it watches; what it leaves to sluice.yaml may not', async () => {
  const before = 'listen: false, listen_probes: false, poll: false';
  const after = 'listen: "127.0.0.1:0", listen_probes: "127.0.0.1:0", poll: true';
  const refused = async (options: Chosen): Promise<readonly string[]> => {
    const failures = new Set<string>();
    const { dir, described, stop } = await watched(before, {
      ...options,
      onStatus: ({ diagnostics }) => diagnostics.forEach(({ message }) => failures.add(message)),
    });
    await until(() => described().length === 1);
    await rewrite(join(dir, 'sluice.yaml'), before, after);
    await rewrite(join(dir, 'manifests/all.yaml'), 'Of shop', 'Of all');
    await until(() => failures.size > 0 || described().includes('Of all'));
    await stop();
    return [...failures].map((message) => message.split(' ')[0] ?? '');
  };
  expect(await refused({ listen: false, listenProbes: false, poll: true })).toEqual([]);
  expect(await refused({})).toEqual(['watch.listen', 'watch.listen_probes', 'watch.poll']);
});

async function rewrite(path: string, before: string, after: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace(before, after));
}
