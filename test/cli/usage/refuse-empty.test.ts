import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { makeProgram } from '../../../src/cli/program.ts';
import { ran, stack } from '../terminal.ts';

interface Line {
  readonly words: readonly string[];
  readonly about: string;
}

const io = {
  cwd: '/',
  env: {},
  out: () => undefined,
  err: () => undefined,
  stdin: () => Promise.resolve(Buffer.alloc(0)),
  terminal: { in: false, out: false, err: false },
  ask: () => Promise.resolve(''),
  signal: new AbortController().signal,
};

/** A command line for each option that takes a value, and for each argument, whose value is empty. */
function emptyLines(command: Command, path: readonly string[] = []): Line[] {
  const given = command.registeredArguments.map(({ argChoices }) => argChoices?.[0] ?? 'x');
  return [
    ...command.options
      .filter(({ required, optional }) => required || optional)
      .map(({ long, short }) => long ?? short ?? '')
      .map((flag) => ({ words: [...path, ...given, flag, ''], about: `the value of ${flag} is empty` })),
    ...command.registeredArguments.map((argument, at) => ({
      words: [...path, ...given.slice(0, at), ''],
      about: `the argument '${argument.name()}' is empty`,
    })),
    ...command.commands.flatMap((below) => emptyLines(below, [...path, below.name()])),
  ];
}

test('every empty argument and value of an option is refused, and named', async () => {
  const dir = await stack();
  const lines = emptyLines(makeProgram(io, '0.0.0-test', () => Promise.resolve()));
  expect(lines.length).toBeGreaterThan(150);
  for (const { words, about } of lines) {
    const { code, out, err } = await ran(dir, words, {});
    expect([words, code, out, err]).toEqual([
      words,
      8,
      '',
      `error: ${about}\n  pass a value; if it comes from a variable, check that the variable is set\n`,
    ]);
  }
});

test('an empty value in another form is refused, also among several and as JSON', async () => {
  const dir = await stack();
  expect((await ran(dir, ['plan', '--rename-from='], {})).err).toContain('the value of --rename-from is empty');
  expect((await ran(dir, ['plan', '-l', ''], {})).err).toContain('the value of --selector is empty');
  expect((await ran(dir, ['sessions', 'stop', 'ts_1', ''], {})).err).toContain("the argument 'ids' is empty");
  const { code, out } = await ran(dir, ['get', 'edge', '', '--format', 'json'], {});
  expect(code).toBe(8);
  expect(JSON.parse(out)).toMatchObject({ error: { message: "the argument 'name' is empty" } });
});

test('a variable of sluice.yaml may be empty, and so may a variable of the environment', async () => {
  const dir = await stack();
  const env = { SLUICE_API_KEY: 'k3y', SLUICE_LOG: '', SLUICE_PROXY: '' };
  expect((await ran(dir, ['plan'], { env })).code).toBe(0);
  const { err } = await ran(dir, ['plan', '--var', 'region='], { env });
  expect(err).not.toContain('is empty');
});
