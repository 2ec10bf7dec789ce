import type { Command } from 'commander';
import { explain } from '../../../derive/explain/explain-kind.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { hazardCodes } from '../../../model/plan/plan.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import type { shells } from './completion-program.ts';
import { completionScript } from './completion-scripts.ts';
import { completionWords } from './completion-words.ts';
import { topics } from '../explain-topics.ts';
import { spelledKind } from '../../../derive/explain/kind-words.ts';

/** Prints the completion script of a shell. */
export function completion({ io }: Context, shell: (typeof shells)[number], program: Command): number {
  const names = kinds.all.map(({ name }) => spelledKind(name));
  const explained = kinds.all.flatMap((kind) => [spelledKind(kind.name), ...fieldsOf(kind, [])]);
  const words = {
    kind: names,
    kinds: names,
    'kind, field or diagnostic code': [...topics.map(({ name }) => name), ...explained, ...hazardCodes],
  };
  io.out(completionScript[shell](completionWords(program, words)));
  return exitCodes.done;
}

/** The dotted paths of all fields at or below one. */
function fieldsOf(kind: Kind, path: readonly string[]): string[] {
  return explain(kind, path, kinds).fields.flatMap(({ name }) => [
    [spelledKind(kind.name), ...path, name].join('.'),
    ...fieldsOf(kind, [...path, name]),
  ]);
}
