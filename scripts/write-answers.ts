// Writes dist/answers: what the bin prints without the program. Part of the build.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { shells } from '../src/cli/commands/completion/completion-program.ts';
import type { Io } from '../src/cli/io.ts';
import { answerName, wrapMark } from '../src/cli/usage/prepared-answer.ts';
import { makeProgram } from '../src/cli/program.ts';
import { run } from '../src/cli/run.ts';

const folder = 'dist/answers';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

let printed = '';
const io: Io = {
  cwd: '/',
  env: {},
  out: (text) => (printed += text),
  err: (text) => {
    throw new Error(text);
  },
  stdin: () => Promise.resolve(Buffer.alloc(0)),
  // Wide enough that every text is offered for wrapping.
  terminal: { in: false, out: true, err: false, columns: Infinity },
  ask: () => Promise.resolve(''),
  signal: new AbortController().signal,
};

writeHelp(
  makeProgram(io, '', () => Promise.resolve()),
  [],
);
for (const shell of shells) {
  await run(['completion', shell], io, '');
  write(['completion', shell]);
}

function writeHelp(command: Command, path: readonly string[]): void {
  command.configureHelp({ ...command.configureHelp(), boxWrap: (text) => wrapMark + text }).outputHelp();
  write([...path, '--help']);
  for (const below of command.commands) writeHelp(below, [...path, below.name()]);
}

function write(args: readonly string[]): void {
  const name = answerName(args);
  if (name === undefined) throw new Error(`no name for the answer to ${args.join(' ')}`);
  writeFileSync(join(folder, name), printed);
  printed = '';
}
