import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { notBuilt, startProgram } from '../support/processes.ts';
import { addresses } from '../watch/company-files.ts';

interface Case {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: string;
}

const cases: readonly Case[] = [
  { file: 'sluice.yaml', args: ['plan'] },
  { file: 'manifests/a.yaml', args: ['validate'] },
  { file: 'key', args: ['plan'], env: { SLUICE_API_KEY_FILE: 'key' } },
  { file: 'variables', args: ['plan'], settings: 'secrets: {env_files: [variables]}' },
  { file: 'saved.plan', args: ['apply', 'saved.plan', '--auto-approve'] },
  { file: 'saved.plan', args: ['show', 'saved.plan'] },
  { file: '.sluice/state.json', args: ['plan'] },
  { file: '.sluice/state.json.journal', args: ['plan'] },
  { file: '.sluice/lock', args: ['apply', '--auto-approve'] },
  { file: '.sluice/emulator.json', args: ['plan'] },
  { file: 'events.jsonl', args: ['apply', '--auto-approve', '--events', 'events.jsonl'] },
  { file: 'summary.md', args: ['plan', '--github-summary'], env: { GITHUB_STEP_SUMMARY: 'summary.md' } },
  { file: 'requests.jsonl', args: ['emulator', '--port', '0', '--log', 'requests.jsonl'] },
  { file: '.sluice/watch-state.json', args: ['approve', `sha256:${'0'.repeat(64)}`] },
];

describe.skipIf(notBuilt !== '' || process.platform === 'win32')(`a pipe or directory for a file${notBuilt}`, () => {
  test.each(cases)('$args with a pipe at $file ends and names it', async (one) => {
    const { code, err } = await run(one, (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]));
    expect(code).not.toBe(0);
    expect(err).toMatch(/a pipe( or socket)?, not a file/);
  });

  test.each(cases.filter(({ file }) => file.endsWith('state.json') || file.endsWith('lock')))(
    '$args with a directory at $file ends and names it',
    async (one) => {
      const { code, err } = await run(one, (path) => mkdirSync(path));
      expect(code).not.toBe(0);
      expect(err).toMatch(/a directory, not a file/);
    },
  );

  test.each(['new/.gitignore', 'new/sluice.yaml'])('init ends with a pipe at %s', async (file) => {
    const { code, err } = await run({ file, args: ['-C', 'new', 'init', '--name', 'shop'] }, (path) =>
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]),
    );
    expect([code, err]).toEqual(
      file === 'new/.gitignore'
        ? [0, expect.stringContaining('the path is a pipe or socket, not a file')]
        : [8, expect.stringContaining('already exists')],
    );
  });

  test('init --new-id ends with a pipe at sluice.yaml', async () => {
    const { code, err } = await run({ file: 'new/sluice.yaml', args: ['-C', 'new', 'init', '--new-id'] }, (path) =>
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]),
    );
    expect([code, err]).toEqual([8, expect.stringContaining('is a pipe, not a file')]);
  });

  test('export --overwrite replaces a pipe or link, since nobody named the file: what the link leads to stays', async () => {
    const args = ['export', '--all', '--out', 'out', '--overwrite'];
    const file = 'out/reserved-addr/mqtt.yaml';
    const piped = await run({ file, args }, (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]));
    expect([piped.code, statSync(join(piped.dir, file)).isFile()]).toEqual([0, true]);
    const linked = await run({ file, args }, (path) => {
      writeFileSync(join(dirname(path), '../../mine'), 'mine');
      symlinkSync('../../mine', path);
    });
    expect([linked.code, readFileSync(join(linked.dir, 'mine'), 'utf8')]).toEqual([0, 'mine']);
  });

  test.each([
    'plan --out out',
    'plan --gitlab-report out',
    'snapshot --out out',
    'convert terraform show.json --report out',
  ])('%s ends with a pipe that nobody reads, and leaves it', async (line) => {
    const { code, err, dir } = await run({ file: 'out', args: line.split(' ') }, (path) => {
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
      writeFileSync(join(dirname(path), 'show.json'), '{"format_version": "1.0"}');
    });
    expect([code, err]).toEqual([8, expect.stringContaining('out cannot be written: no process reads from the pipe')]);
    expect(statSync(join(dir, 'out')).isFIFO()).toBe(true);
  });

  test('standard input without end is too large', async () => {
    const endless = (command: string): string => `yes | ${command}`;
    const { code, out, err } = await startProgram(stackWith(''), ['validate', '-f', '-'], {}, endless).ended;
    expect(code).toBe(8);
    expect(out + err).toContain('TOO_LARGE');
  });

  test('pause replaces a pipe that stands where it is kept', async () => {
    const { code } = await run({ file: '.sluice/watch-requests.json', args: ['pause'] }, (path) =>
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]),
    );
    expect(code).toBe(0);
  });
});

async function run({ file, args, env, settings = '' }: Case, make: (path: string) => void) {
  const dir = stackWith(settings);
  if (file.endsWith('.journal') || args[0] === 'export')
    expect(await startProgram(dir, ['apply', '--auto-approve'], {}).ended).toMatchObject({ code: 0 });
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  rmSync(join(dir, file), { force: true });
  make(join(dir, file));
  return { ...(await startProgram(dir, args, { ...env }).ended), dir };
}

function stackWith(settings: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-special-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'manifests'));
  const text = `version: 1\nstack: {name: company, id: 5c1e7a90}\nmanifests: [manifests]\napi: {base_url: embedded}\n${settings}\n`;
  writeFileSync(join(dir, 'sluice.yaml'), text);
  writeFileSync(join(dir, 'manifests/a.yaml'), addresses('mqtt'));
  return dir;
}
