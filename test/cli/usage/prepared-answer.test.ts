import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { shells } from '../../../src/cli/commands/completion/completion-program.ts';
import type { Io } from '../../../src/cli/io.ts';
import { preparedAnswer } from '../../../src/cli/usage/prepared-answer.ts';
import { makeProgram } from '../../../src/cli/program.ts';
import { directory, ran } from '../terminal.ts';

// As `npm test` has just built it.
const dist = join(import.meta.dirname, '../../../dist');
const answers = pathToFileURL(join(dist, 'answers/'));

const commands = pathsOf(
  makeProgram({ terminal: {} } as Io, '', () => Promise.resolve()),
  [],
);

describe('what the build prepares is what the program prints', () => {
  test.each([100, 20, 57, 72, 80, 81, 133, 400])('help of every command, %i columns wide', async (columns) => {
    const dir = await directory();
    const terminal = { in: false, out: true, err: false, columns };
    expect(commands).toContainEqual(['state', 'list']);
    for (const path of commands) {
      const { out } = await ran(dir, [...path, '--help'], { terminal });
      expect(preparedAnswer(answers, [...path, '--help'], columns)).toBe(out);
    }
  });

  test.each(shells)('completion for %s', async (shell) => {
    const { out } = await ran(await directory(), ['completion', shell], {});
    expect(preparedAnswer(answers, ['completion', shell], 40)).toBe(out);
  });

  test.each([
    { args: [] },
    { args: ['plan'] },
    { args: ['help', 'plain'] },
    { args: ['-C', 'edge', '--help'] },
    { args: ['../answers/plan', '--help'] },
  ])('and nothing is prepared for $args', ({ args }) => {
    expect(preparedAnswer(answers, args, 80)).toBeUndefined();
  });

  test('help is the same in all its spellings', () => {
    const spellings = [
      ['state', 'list', '--help'],
      ['state', 'list', '-h'],
      ['help', 'state', 'list'],
    ];
    expect(new Set(spellings.map((args) => preparedAnswer(answers, args, 80))).size).toBe(1);
    expect(preparedAnswer(answers, ['help'], 80)).toBe(preparedAnswer(answers, ['-h'], 80));
  });
});

test.each(['--version', '--help'])('%s ends quietly when its reader has gone', (flag) => {
  const script = `set -o pipefail; { sleep 0.2; node '${join(dist, 'sluice.js')}' ${flag}; } | true`;
  const printed = execFileSync('bash', ['-c', `{ ${script}; } 2>&1; echo "exit code $?"`], { encoding: 'utf8' });
  expect(printed).toBe('exit code 0\n');
});

function pathsOf(command: Command, path: readonly string[]): string[][] {
  return [[...path], ...command.commands.flatMap((below) => pathsOf(below, [...path, below.name()]))];
}
