// node scripts/run.mjs bench/emulator.ts
// The emulator beside a bare node:http server that answers the same bytes, and an account of 100,000 beside a small one.
import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator, type Emulator } from '../src/emulator/emulator.ts';
import { run } from '../src/cli/run.ts';
import { load, type Load } from './load.ts';
import { fillAccount } from './account.ts';

const script = 'bench/emulator.ts';
const rounds = 7;
const perRound = 6_000;
const headers = { authorization: 'Bearer bench', 'example-version': '2', 'content-type': 'application/json' };

/** What each child process does; the parent has no name. */
const roles: Readonly<Record<string, (argument: string) => Promise<void>>> = {
  bare: serveBytes,
  emulator: serveEmulator,
  account: measureAccount,
};

const [role, argument = ''] = process.argv.slice(2);
await (role === undefined ? compare() : roles[role]?.(argument));

async function compare(): Promise<void> {
  const emulator = child('emulator');
  const { url } = await told<{ url: string }>(emulator);
  const made = await fetch(`${url}/reserved_addrs`, { method: 'POST', headers, body: '{"description":"bench"}' });
  const { id } = (await made.json()) as { id: string };
  const bytes = await (await fetch(`${url}/reserved_addrs/${id}`, { headers })).text();
  const bare = child('bare', bytes);
  const { url: bareUrl } = await told<{ url: string }>(bare);

  const ratios: { wall: number; cpu: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [ours, theirs] = [await measured(emulator, url, id), await measured(bare, bareUrl, id)];
    // The first round warms both up.
    if (round > 0) ratios.push({ wall: ours.perSecond / theirs.perSecond, cpu: theirs.cpuMs / ours.cpuMs });
  }
  for (const one of [emulator, bare]) one.disconnect();
  line('GET of one resource: requests per second / bare node:http', median(ratios.map(({ wall }) => wall)), '>= 0.5');
  line('GET of one resource: CPU of bare node:http / CPU', median(ratios.map(({ cpu }) => cpu)), '>= 0.5');

  const small = await told<AccountFigures>(child('account', '1000'));
  const large = await told<AccountFigures>(child('account', '100000'));
  line('100,000 resources: resident memory / 1 GiB', large.residentBytes / 2 ** 30, '<= 1');
  line('list page: time at 100,000 / time at 1,000', large.pageMs / small.pageMs, '<= 2');
}

async function measured(server: ChildProcess, url: string, id: string): Promise<{ perSecond: number; cpuMs: number }> {
  const before = await cpuOf(server);
  const { seconds }: Load = await load(url, `/reserved_addrs/${id}`, headers, perRound);
  return { perSecond: perRound / seconds, cpuMs: (await cpuOf(server)) - before };
}

function line(what: string, ratio: number, target: string): void {
  console.log(`${what.padEnd(62)} ${ratio.toFixed(2)}  (target ${target})`);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;
}

function child(what: string, argument = ''): ChildProcess {
  return fork('scripts/run.mjs', [script, what, argument]);
}

function told<T>(from: ChildProcess): Promise<T> {
  return new Promise((done, failed) => {
    const ended = (): void => failed(new Error('a process of the bench ended early'));
    from.once('exit', ended);
    from.once('message', (message) => {
      from.off('exit', ended);
      done(message as T);
    });
  });
}

async function cpuOf(server: ChildProcess): Promise<number> {
  const answer = told<{ cpuMs: number }>(server);
  server.send('cpu');
  return (await answer).cpuMs;
}

function tellCpu(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000 });
  });
  process.on('disconnect', () => process.exit());
}

async function serveBytes(bytes: string): Promise<void> {
  tellCpu();
  const body = Buffer.from(bytes);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** The command itself, as it is without any options. */
async function serveEmulator(): Promise<void> {
  tellCpu();
  await run(
    ['emulator', '--log-level', 'error'],
    {
      cwd: process.cwd(),
      env: {},
      out: (text) => void process.send?.({ url: text.trim() }),
      err: (text) => void process.stderr.write(text),
      stdin: () => Promise.resolve(Buffer.alloc(0)),
      terminal: { in: false, out: false, err: false },
      ask: () => Promise.reject(new Error('nobody is asked')),
      signal: new AbortController().signal,
    },
    '0.0.0-bench',
  );
}

interface AccountFigures {
  readonly residentBytes: number;
  readonly pageMs: number;
}

async function measureAccount(size: string): Promise<void> {
  const emulator = createEmulator({ seed: 'bench', logKept: 0 });
  await fillAccount(emulator, Number(size));
  // Every page once: what was shown is kept, and counts.
  for (const list of ['/reserved_addrs', '/event_subscriptions', '/edges/https']) await readList(emulator, list);
  const times: number[] = [];
  for (let again = 0; again < 20; again++) times.push(...(await readList(emulator, '/reserved_addrs', 5)));
  const figures: AccountFigures = { residentBytes: process.memoryUsage.rss(), pageMs: median(times) };
  process.send?.(figures, () => process.disconnect());
}

/** Reads a list page by page; answers how long each page took. */
async function readList(emulator: Emulator, path: string, most = Infinity): Promise<number[]> {
  const times: number[] = [];
  let next: string | null = path;
  while (next !== null && times.length < most) {
    const begun = performance.now();
    const { body } = await emulator.handle({ method: 'GET', path: next, headers });
    times.push(performance.now() - begun);
    const { next_page_uri } = JSON.parse(body) as { next_page_uri: string | null };
    next = next_page_uri === null ? null : new URL(next_page_uri).pathname + new URL(next_page_uri).search;
  }
  return times;
}
