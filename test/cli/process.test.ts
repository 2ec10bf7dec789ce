import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { directory, stack } from './terminal.ts';

// The built program, as `npm test` has just built it.
const program = join(import.meta.dirname, '../..', about.bin.sluice);

describe('the program', () => {
  test('prints its version and its help without a stack', async () => {
    const dir = await directory();
    expect(await ran(dir, ['--version'])).toEqual({ code: 0, out: `${about.version}\n`, err: '' });
    const help = await ran(dir, ['--help']);
    expect(help.code).toBe(0);
    for (const command of ['validate', 'plan', 'apply', 'destroy', 'get', 'schema', 'init', 'emulator'])
      expect(help.out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect((await ran(dir, [])).code).toBe(8);
  });

  test('is ASCII, as which it is read', async () => {
    const text = await readFile(join(program, '../program.cjs'), 'latin1');
    expect(text.match(/[^\x00-\x7f]+/g) ?? []).toEqual([]);
  });

  test('has for every command a help with examples', async () => {
    const dir = await directory();
    for (const command of ['validate', 'plan', 'apply', 'destroy', 'get', 'schema', 'init', 'emulator']) {
      const { code, out } = await ran(dir, ['help', command]);
      expect(code).toBe(0);
      expect(out).toContain(`  $ sluice ${command}`);
    }
  });

  test('plans, applies and destroys with the exit codes of the contract', async () => {
    const dir = await stack();
    expect((await ran(dir, ['plan', '--detailed-exitcode'])).code).toBe(2);
    expect((await ran(dir, ['apply'])).code).toBe(8);
    expect((await ran(dir, ['apply', '--auto-approve'])).code).toBe(0);
    expect((await ran(dir, ['plan', '--detailed-exitcode'])).code).toBe(0);
    expect((await ran(dir, ['destroy', '--auto-approve'])).code).toBe(0);
  });

  test('ends although something is left open', async () => {
    const dir = await stack();
    const leftOpen = { NODE_OPTIONS: '--import "data:text/javascript,setInterval(() => {}, 1000)"' };
    expect(await ran(dir, ['plan', '--detailed-exitcode'], leftOpen)).toMatchObject({ code: 2 });
  });

  test('carries an apply through when the reader of its output goes away', async () => {
    const dir = await stack();
    const child = start(dir, ['apply', '--auto-approve']);
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect(await ending(child)).toBe(0);
    expect((await ran(dir, ['plan', '--detailed-exitcode'])).code).toBe(0);
  });
});

describe('sluice emulator', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('serves until %s, and keeps the account in its file', async (signal) => {
    const dir = await stack();
    const data = join(dir, 'account.json');
    const args = ['emulator', '--port', '0', '--data', data, '--api-key', 'right'];
    const first = start(dir, args);
    const env = { SLUICE_BASE_URL: await firstLine(first), SLUICE_API_KEY: 'right' };
    expect((await ran(dir, ['apply', '--auto-approve'], env)).code).toBe(0);
    expect((await ran(dir, ['plan'], { ...env, SLUICE_API_KEY: 'wrong' })).code).toBe(7);
    first.kill(signal);
    expect(await ending(first)).toBe(0);
    expect(await readFile(data, 'utf8')).toContain('shop.example.com:443');

    const second = start(dir, args);
    const listed = await ran(await stack(), ['get', 'https-edge'], {
      ...env,
      SLUICE_BASE_URL: await firstLine(second),
    });
    expect(listed.out).toMatch(/^shop +company +edghts_/m);
    second.kill(signal);
    expect(await ending(second)).toBe(0);
  });
});

function ran(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{
  readonly code: number;
  readonly out: string;
  readonly err: string;
}> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [program, ...args], { cwd, env, timeout: 200_000 }, (_, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end();
  });
}

function start(cwd: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  const over = ending(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await over;
  });
  return child;
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    if (stdout === null) throw new Error('no output');
    createInterface({ input: stdout })
      .once('line', done)
      .once('close', () => failed(new Error('no line')));
  });
}

function ending(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
}
