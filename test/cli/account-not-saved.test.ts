import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Refused, StateError } from '../../src/diagnostics/errors.ts';
import { closeAfter, unclosedCode } from '../../src/cli/close-after.ts';
import { makeContext } from '../../src/cli/context.ts';
import { closeAll } from '../../src/stack/close-all.ts';
import { notBuilt, startProgram } from '../support/processes.ts';
import { sluice, stack } from './terminal.ts';

const cannotSave = 'emulator.json cannot be written: the path is a directory (EISDIR)';

test.each(['text', 'json'])('an account that cannot be saved is named beside the outcome, as %s', async (format) => {
  const dir = await stack();
  const { code, out, err } = await sluice(dir, `apply --auto-approve --format ${format}`, {
    carryThrough: async (work) => {
      const outcome = await work();
      await mkdir(join(dir, '.sluice/emulator.json'));
      return outcome;
    },
  });
  expect(code).toBe(1);
  expect(err).toContain(cannotSave);
  expect(err).toContain('then run the command again');
  expect(err).not.toContain('internal error');
  if (format === 'json') expect(JSON.parse(out)).not.toHaveProperty('error');
  else expect(out + err).toContain('3 created');
  // Nothing is left open or half written.
  expect(existsSync(join(dir, '.sluice/lock'))).toBe(false);
  expect((await readdir(join(dir, '.sluice'))).filter((name) => name.includes('.tmp-'))).toEqual([]);
});

test.skipIf(notBuilt !== '' || process.platform === 'win32')(
  `a limit on the size of files is said in words, with what to do${notBuilt}`,
  async () => {
    const edges = Array.from(
      { length: 25 },
      (_, at) =>
        `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: e${at}}\nspec: {hostports: [e${at}.example.com:443]}\n`,
    );
    const dir = await stack(edges.join('---\n'));
    const limited = (command: string): string => `ulimit -f 14; ${command}`;
    const { code, err } = await startProgram(dir, ['apply', '--auto-approve'], {}, limited).ended;
    expect([1, 6]).toContain(code);
    expect(err).toContain('cannot be written: the file is too large (EFBIG)');
    expect(err).toContain('ulimit -f');
    expect(err).not.toContain('internal error');
  },
);

test.each([
  [0, 1],
  [2, 1],
  [6, 6],
  [130, 130],
])('exit code %i of what was done becomes %i where something cannot be closed', async (code, expected) => {
  const { context, printed } = silent();
  expect(await closeAfter(context, failing, () => Promise.resolve(code), unclosedCode)).toBe(expected);
  expect(printed()).toContain('a cannot be written');
});

test('the error of what was done stays, and what cannot be closed is reported beside it', async () => {
  const { context, printed } = silent();
  const refused = new Refused('STATE_LOST', 'refused');
  await expect(closeAfter(context, failing, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(printed()).toContain('a cannot be written');
});

test('all is closed, also after something that cannot be', async () => {
  const closed: number[] = [];
  const closing = closeAll(
    failing,
    () => Promise.resolve(void closed.push(1)),
    failing,
    () => Promise.resolve(void closed.push(2)),
  );
  await expect(closing).rejects.toThrow('a cannot be written');
  expect(closed).toEqual([1, 2]);
});

function failing(): Promise<void> {
  return Promise.reject(new StateError('STATE_NOT_WRITTEN', 'a cannot be written'));
}

function silent() {
  let text = '';
  const io = { env: {}, terminal: { in: false, out: false, err: false }, err: (more: string) => void (text += more) };
  return { context: makeContext(io as never, '0', { color: false }), printed: () => text };
}
