import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findManifests } from '../../src/manifest/read/read-manifests.ts';
import { diagnosticsText } from '../../src/render/diagnostics/diagnostics-text.ts';
import { loadDirectory, loadFiles, temporaryFiles } from '../support/manifests.ts';

const secret = { 'hooks.yaml': hooks('{from_file: FILE}') };

describe('hostile files get a diagnostic with a place', () => {
  test('NUL bytes and invalid UTF-8', async () => {
    const stack = await loadFiles({
      'nul.yaml': Buffer.from('a: \0'),
      'utf8.yaml': Buffer.from([0x61, 0x3a, 0xff, 0xfe]),
    });
    expect(diagnosticsText(stack.diagnostics)).toMatchInlineSnapshot(`
      "error[INVALID_TEXT] nul.yaml:1:1: the file contains a NUL byte at offset 3

      error[INVALID_TEXT] utf8.yaml:1:1: the file is not valid UTF-8
      "
    `);
  });

  test.each([
    ['little', Buffer.from('\uFEFFapiVersion: sluice/v1\n', 'utf16le')],
    ['big', Buffer.from('\uFEFFapiVersion: sluice/v1\n', 'utf16le').swap16()],
  ])('UTF-16 with the %s end first, and what to do', async (_, bytes) => {
    expect(diagnosticsText((await loadFiles({ 'a.yaml': bytes })).diagnostics)).toMatchInlineSnapshot(`
      "error[INVALID_TEXT] a.yaml:1:1: the file is UTF-16, not UTF-8
         hint: save the file as UTF-8
      "
    `);
  });

  test('fifty megabytes, which are not even read', async () => {
    const dir = temporaryFiles({ 'big.yaml': '' });
    truncateSync(join(dir, 'big.yaml'), 50_000_000);
    expect(diagnosticsText((await loadDirectory(dir)).diagnostics)).toMatchInlineSnapshot(`
      "error[TOO_LARGE] big.yaml:1:1: the file is larger than 1000000 bytes
      "
    `);
  });

  test('more than 64 megabytes together', async () => {
    const megabyte = `# ${'x'.repeat(990_000)}\n`;
    const files = Object.fromEntries(
      Array.from({ length: 66 }, (_, i) => [`f${String(i).padStart(2, '0')}.yaml`, megabyte]),
    );
    const { diagnostics, inDoubt } = await loadFiles(files);
    // What the other files contain is not known, unlike where one file alone cannot be read.
    expect([inDoubt, (await loadFiles({ 'f.yaml': Buffer.alloc(1_000_001, '#') })).inDoubt]).toEqual([true, false]);
    expect(diagnosticsText(diagnostics)).toMatchInlineSnapshot(`
      "error[TOO_LARGE] f64.yaml:1:1: the file brings the size of all files together above the limit of 64000000 bytes; sluice reads no further files
      "
    `);
  });

  test('a pipe, which is not waited for', async () => {
    const dir = temporaryFiles({});
    makePipe(join(dir, 'pipe.yaml'));
    expect(diagnosticsText((await loadDirectory(dir)).diagnostics)).toMatchInlineSnapshot(`
      "error[NOT_A_REGULAR_FILE] pipe.yaml:1:1: the file is a pipe, not a file
      "
    `);
  });

  test('a socket', async () => {
    const dir = temporaryFiles({});
    const server = createServer();
    await new Promise<void>((ready) => server.listen(join(dir, 'socket.yaml'), ready));
    onTestFinished(() => void server.close());
    expect(diagnosticsText((await loadDirectory(dir)).diagnostics)).toMatchInlineSnapshot(`
      "error[NOT_A_REGULAR_FILE] socket.yaml:1:1: the file is a socket, not a file
      "
    `);
  });

  test('a device', async () => {
    const stack = await loadDirectory(temporaryFiles({}), { inputs: ['/dev/zero'] });
    expect(diagnosticsText(stack.diagnostics)).toMatch(
      /^error\[NOT_A_REGULAR_FILE\] .*dev\/zero:1:1: the file is a device, not a file\n$/,
    );
  });

  test('links that leave the stack, lead nowhere, or back to where they are', async () => {
    const outside = temporaryFiles({ 'passwords.yaml': 'root: hunter2\n' });
    const dir = temporaryFiles({ 'inner/ok.yaml': '' });
    symlinkSync(join(outside, 'passwords.yaml'), join(dir, 'leaves.yaml'));
    symlinkSync(join(dir, 'nowhere'), join(dir, 'nowhere.yaml'));
    symlinkSync(dir, join(dir, 'inner', 'loop'));
    expect(diagnosticsText((await loadDirectory(dir)).diagnostics)).toMatchInlineSnapshot(`
      "error[PATH_OUTSIDE_STACK] leaves.yaml:1:1: the file is a symbolic link to a path outside the stack

      error[FILE_NOT_FOUND] nowhere.yaml:1:1: the file does not exist
      "
    `);
  });
});

test('a link into .git is not followed, wherever the stack is', async () => {
  const dir = temporaryFiles({ '.git/config': 'canary: 1', '.git/wt/inner/ok.yaml': '' });
  symlinkSync(join(dir, '.git', 'config'), join(dir, 'linked.yaml'));
  expect(diagnosticsText((await loadDirectory(dir)).diagnostics)).toMatch(
    /^error\[PATH_OUTSIDE_STACK\] linked\.yaml:1:1: [^\n]*\n$/,
  );
  const inner = join(dir, '.git', 'wt');
  symlinkSync(join(inner, 'inner', 'ok.yaml'), join(inner, 'linked.yaml'));
  expect((await loadDirectory(inner)).diagnostics).toEqual([]);
});

test('a directory that many links lead to is read once', () => {
  const levels = 12;
  const dir = temporaryFiles({ [`d${String(levels)}/a.yaml`]: '' });
  for (let level = 0; level < levels; level++) {
    mkdirSync(join(dir, `d${String(level)}`));
    for (const name of ['left', 'right'])
      symlinkSync(join('..', `d${String(level + 1)}`), join(dir, `d${String(level)}`, name));
  }
  const found = [...findManifests(dir, ['.'])];
  expect(found.filter((one) => 'directory' in one)).toHaveLength(levels + 2);
  expect(found.filter((one) => 'real' in one)).toHaveLength(1);
});

describe('from_file reads only what belongs to the stack', () => {
  test('not through dots', async () => {
    expect(await toldWith('../elsewhere/secret.txt')).toMatchInlineSnapshot(`
      "error[PATH_OUTSIDE_STACK] hooks.yaml:11:9: \`HTTPSEdgeRoute.spec.webhook_verification.secret\`: the file ../elsewhere/secret.txt is outside the directories of this stack
         11 |         secret: {from_file: ../elsewhere/secret.txt}
            |         ^^^^^^
         hint: move the file into the stack, or add its directory to \`secrets.dirs\` in sluice.yaml
      "
    `);
  });

  test('not by an absolute path', async () => {
    expect(await toldWith('/etc/passwd')).toContain('error[PATH_OUTSIDE_STACK] hooks.yaml:11:9:');
  });

  test('not through a link', async () => {
    const outside = temporaryFiles({ 'secret.txt': 'hunter2' });
    expect(
      await toldWith('linked.txt', (dir) => symlinkSync(join(outside, 'secret.txt'), join(dir, 'linked.txt'))),
    ).toContain('error[PATH_OUTSIDE_STACK] hooks.yaml:11:9:');
  });

  test('not from .git', async () => {
    const reported = await toldWith('.git/config', (dir) => {
      mkdirSync(join(dir, '.git'));
      writeFileSync(join(dir, '.git', 'config'), 'token');
    });
    expect(reported).toContain('error[PATH_OUTSIDE_STACK] hooks.yaml:11:9:');
  });

  test('not what sluice itself keeps: a watch would apply what it has just written, for ever', async () => {
    const reported = await toldWith('.sluice/state.json', (dir) => {
      mkdirSync(join(dir, '.sluice'));
      writeFileSync(join(dir, '.sluice', 'state.json'), '{}');
    });
    expect(reported).toContain('error[PATH_OUTSIDE_STACK] hooks.yaml:11:9:');
  });

  const withState = (statePath: string, path: string): Promise<string> => {
    const prepare = (dir: string): void => {
      for (const name of [statePath, path]) {
        mkdirSync(join(dir, name, '..'), { recursive: true });
        writeFileSync(join(dir, name), '{}');
      }
    };
    return toldWith(path, prepare, { statePath });
  };

  test.each([
    ['keep/prod.json', 'keep/prod.json'],
    ['keep/prod.json.journal', 'keep/prod.json'],
    ['keep/prod.json.watch-state.json', 'keep/prod.json'],
    ['keep/prod.runs/1', 'keep/prod'],
    ['keep/watch-state.json', 'keep/state.json'],
  ])('not %s where the stack keeps its state in %s', async (path, statePath) => {
    expect(await withState(statePath, path)).toContain('error[PATH_OUTSIDE_STACK] hooks.yaml:11:9:');
  });

  test.each([
    ['keep/prod.pem', 'keep/prod'],
    ['keep/watch-state.json', 'keep/prod.json'],
  ])('but %s beside the state in %s, which is another file', async (path, statePath) => {
    expect(await withState(statePath, path)).not.toContain('PATH_OUTSIDE_STACK');
  });

  test('not from a pipe, a directory, or what is not there', async () => {
    expect(await toldWith('pipe', (dir) => makePipe(join(dir, 'pipe')))).toContain(
      'error[NOT_A_REGULAR_FILE] hooks.yaml:11:9: `HTTPSEdgeRoute.spec.webhook_verification.secret`: the file pipe is a pipe, not a file',
    );
    expect(await toldWith('sub', (dir) => mkdirSync(join(dir, 'sub')))).toContain('is a directory, not a file');
    expect(await toldWith('missing.txt')).toContain(
      'error[FILE_NOT_FOUND] hooks.yaml:11:9: `HTTPSEdgeRoute.spec.webhook_verification.secret`: the file missing.txt does not exist',
    );
  });

  test('not more than a megabyte, and no bytes that are no text', async () => {
    const write = (bytes: Buffer) => (dir: string) => writeFileSync(join(dir, 'f'), bytes);
    expect(await toldWith('f', write(Buffer.alloc(1_000_001, 'x')))).toContain('error[TOO_LARGE] hooks.yaml:11:9:');
    expect(await toldWith('f', write(Buffer.from([0xff])))).toContain('error[INVALID_TEXT] hooks.yaml:11:9:');
  });

  test('but from further directories that the stack file names', async () => {
    const outside = temporaryFiles({ 'secret.txt': 'hunter2\n' });
    const dir = temporaryFiles({ 'hooks.yaml': hooks(`{from_file: ${join(outside, 'secret.txt')}}`) });
    const stack = await loadDirectory(dir, { roots: [outside] });
    expect(stack.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(JSON.stringify(stack.resources)).not.toContain('hunter2');
  });

  test('a file that is missing is named from the directory of the stack', async () => {
    const dir = temporaryFiles({ 'manifests/hooks.yaml': secret['hooks.yaml'].replace('FILE', 'missing.txt') });
    expect(diagnosticsText((await loadDirectory(dir)).diagnostics)).toContain(
      'the file manifests/missing.txt does not exist',
    );
  });

  async function toldWith(
    path: string,
    prepare: (dir: string) => unknown = () => undefined,
    options: Parameters<typeof loadDirectory>[1] = {},
  ): Promise<string> {
    const dir = temporaryFiles({ 'hooks.yaml': secret['hooks.yaml'].replace('FILE', path) });
    prepare(dir);
    return diagnosticsText((await loadDirectory(dir, options)).diagnostics);
  }
});

function hooks(value: string): string {
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: hooks}
spec:
  routes:
    - match_type: exact_path
      match: /deploy
      backend: {backend_id: bkd_1}
      webhook_verification:
        provider: github
        secret: ${value}
`;
}

function makePipe(path: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
}
