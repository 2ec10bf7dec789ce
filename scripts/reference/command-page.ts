import type { Command } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { page } from './markdown.ts';

/** Every command with its arguments and flags, as `--help` prints them. */
export function commandPage(): string {
  const io = {
    out: () => undefined,
    err: () => undefined,
    terminal: { in: false, out: false, err: false },
  } as unknown as Parameters<typeof makeProgram>[0];
  const program = makeProgram(io, '0.0.0', () => Promise.resolve());
  return page(
    'Commands',
    '[Exit codes](../operations.md#exit-codes) and [hazards](../plans.md#hazards) have tables of their own; [Other commands](../commands.md) shows commands at work.',
    ...commandsIn(program, []).map(
      ([path, command]) => `## sluice ${path.join(' ')}`.trimEnd() + `\n\n${helpOf(command)}`,
    ),
  );
}

function commandsIn(command: Command, path: readonly string[]): [readonly string[], Command][] {
  const inner = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
  return [[path, command], ...inner.flatMap((child) => commandsIn(child, [...path, child.name()]))];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part), getOutHelpWidth: () => 100 });
  // Global flags are listed once, with `sluice` itself.
  command.configureHelp({ showGlobalOptions: false });
  command.outputHelp();
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
