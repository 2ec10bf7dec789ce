import { fork, type ChildProcess } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What one process used. */
export interface Usage {
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly wallMs: number;
  readonly code: number;
  readonly out: string;
}

/** One request as the emulator has logged it. */
export interface Logged {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** When it was answered. */
  readonly time: string;
}

/** A stack in a directory of its own, with an emulator in a process of its own, and the program as it is shipped. */
export interface BenchStack {
  readonly dir: string;
  readonly sluice: (...args: readonly string[]) => Promise<Usage>;
  /** What was requested since this was last asked. */
  readonly requests: () => Logged[];
  readonly setRate: (rate: string) => void;
  /** Sets what goes wrong from here on. */
  readonly faults: (...faults: readonly string[]) => Promise<void>;
  readonly url: string;
  readonly end: () => Promise<void>;
}

const program = resolve('dist/sluice.js');
const env = { ...process.env, SLUICE_API_KEY: 'bench', SLUICE_LOG: 'error', NO_COLOR: '1' };

/** Makes such a stack; the flags are the emulator's. */
export async function benchStack(...flags: readonly string[]): Promise<BenchStack> {
  // A watch listens in the directory above too, which takes the system long where that has thousands of names.
  const above = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const dir = join(above, 'stack');
  mkdirSync(dir);
  const log = join(dir, 'requests.jsonl');
  writeFileSync(log, '');
  const emulator = fork(program, ['emulator', '--log', log, ...flags], { env, silent: true });
  const url = await firstLine(emulator);
  const file = join(dir, 'sluice.yaml');
  writeFileSync(
    file,
    [
      'version: 1',
      'stack: {name: bench, id: 7f3a9c21}',
      'manifests: [manifests]',
      'policy: {max_deletes: 100%}',
      'api:',
      `  base_url: ${url}`,
      '  vendor: example',
      '  key: {from_env: SLUICE_API_KEY}',
      '',
    ].join('\n'),
  );
  let read = 0;
  return {
    dir,
    url,
    sluice: (...args) => used(program, ['-C', dir, ...args]),
    setRate: (rate) => appendFileSync(file, `  rate_limit: ${rate}\n`),
    faults: async (...faults) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ faults });
      const { status } = await fetch(`${url}/_emulator/faults`, { method: 'PUT', headers, body });
      if (status !== 200) throw new Error(`the emulator answered ${status}`);
    },
    requests: () => {
      const text = readFileSync(log, 'utf8').slice(read);
      read += text.length;
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Logged);
    },
    end: async () => {
      const gone = new Promise((done) => emulator.once('exit', done));
      emulator.kill('SIGTERM');
      await gone;
      rmSync(above, { recursive: true, force: true });
    },
  };
}

/** Runs a program to its end, and tells what it used. */
export async function used(
  script: string,
  args: readonly string[] = [],
  cwd?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Usage> {
  const begun = performance.now();
  const child = fork(script, [...args], {
    env: { ...env, ...more },
    silent: true,
    execArgv: ['--import', resolve('bench/usage.mjs')],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += String(chunk)));
  child.stderr?.on('data', (chunk) => (err += String(chunk)));
  let told: Pick<Usage, 'cpuMs' | 'peakMiB'> | undefined;
  child.once('message', (message) => (told = message as typeof told));
  const code = await new Promise<number>((done) => child.once('close', (status) => done(status ?? -1)));
  if (told === undefined || code !== 0)
    throw new Error(`${script} ${args.join(' ')} ended with ${code}:\n${err || out}`);
  return { ...told, wallMs: performance.now() - begun, code, out };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let text = '';
    child.once('exit', () => failed(new Error('the emulator ended early')));
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) done(text.slice(0, text.indexOf('\n')).trim());
    });
  });
}
