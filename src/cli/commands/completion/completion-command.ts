import type { Command } from 'commander';
import { kinds } from '../../../kinds/index.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import type { shells } from './completion-program.ts';
import { completionScript } from './completion-scripts.ts';
import { completionWords } from './completion-words.ts';
import { spelledKind } from '../spelled-kind.ts';

/** Prints the completion script of a shell. */
export function completion({ io }: Context, shell: (typeof shells)[number], program: Command): number {
  const words = kinds.all.map(({ name }) => spelledKind(name));
  io.out(completionScript[shell](completionWords(program, words)));
  return exitCodes.done;
}
