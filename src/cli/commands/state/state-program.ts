import { Option, type Command } from 'commander';
import { examples, lockTimeout, parallelism, repeatable } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { StateOutput } from './state-list.ts';
import type { RebuildFlags } from './state-rebuild.ts';
import type { ResolveFlags } from './state-resolve.ts';

/** The commands about what a stack remembers. */
export function addStateCommands(program: Command, start: Start): void {
  const state = program
    .command('state')
    .summary('show what the stack remembers; forget, rebuild, resolve, unlock')
    .description('Shows what the stack remembers of its resources, and repairs it. The account is never changed.')
    .addHelpText('after', examples('sluice state list', 'sluice state rebuild'));

  output(state.command('list'))
    .summary('list what is remembered')
    .description('Lists every resource that the stack remembers, and creations of which the end is not known.')
    .addHelpText('after', examples('sluice state list', 'sluice state list -o json'))
    .action((flags: { output?: StateOutput }) =>
      start(async (context) => (await import('./state-list.ts')).listState(context, flags.output)),
    );

  output(state.command('show').argument('[address]', 'one resource, such as Kind/name; all of them when left out'))
    .summary('show what is remembered of a resource')
    .description(
      'Shows what is remembered of one resource, or of all: as last applied, without what stands for secrets.',
    )
    .addHelpText('after', examples('sluice state show', 'sluice state show Kind/name -o json'))
    .action((address: string | undefined, flags: { output?: StateOutput }) =>
      start(async (context) => (await import('./state-list.ts')).showState(context, address, flags.output)),
    );

  waiting(state.command('forget').argument('<address>', 'one resource, such as Kind/name'))
    .summary('drop a resource from what is remembered')
    .description(
      'Drops a resource from what is remembered. The resource stays as it is; one that carries the marker of this stack is found again by the next plan.',
    )
    .addHelpText('after', examples('sluice state forget Kind/name'))
    .action((address: string, flags: { lockTimeout?: number }) =>
      start(async (context) => (await import('./state-forget.ts')).forgetState(context, address, flags)),
    );

  waiting(state.command('rebuild'))
    .summary('make the state anew from the account')
    .description(
      'Makes the state anew from the markers that the resources of this stack carry. The old one is kept as a backup, one that cannot be read beside it.',
    )
    .option(
      '--id <address=id>',
      'the id of a resource that markers cannot tell; checked against the service; repeatable',
      repeatable,
    )
    .addOption(parallelism())
    .addHelpText('after', examples('sluice state rebuild', 'sluice state rebuild --id Kind/name=id'))
    .action((flags: RebuildFlags) =>
      start(async (context) => (await import('./state-rebuild.ts')).rebuildState(context, flags)),
    );

  waiting(state.command('resolve').argument('<address>', 'what was to be created, such as Kind/name'))
    .summary('resolve a creation whose answer was lost')
    .description(
      'Records what came of a creation whose answer was lost, where no request can find out. Until then it is not sent again, every plan reports it, and apply and destroy end with 6.',
    )
    .option('--id <id>', 'it exists, under this id; checked against the service')
    .option('--absent', 'it does not exist')
    .addHelpText('after', examples('sluice state resolve Kind/name --id id', 'sluice state resolve Kind/name --absent'))
    .action((address: string, flags: ResolveFlags) =>
      start(async (context) => (await import('./state-resolve.ts')).resolveState(context, address, flags)),
    );

  state
    .command('unlock')
    .summary('take the lock from a run that is gone')
    .description(
      'Shows who holds the lock, asks, and takes it away. A run that lives after all stops before its next request.',
    )
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('sluice state unlock', 'sluice state unlock --yes'))
    .action((flags: { yes?: boolean }) =>
      start(async (context) => (await import('./state-unlock.ts')).unlockState(context, flags)),
    );
}

function output(command: Command): Command {
  return command.addOption(new Option('-o, --output <form>', 'how to print it').choices(['table', 'yaml', 'json']));
}

function waiting(command: Command): Command {
  return command.addOption(lockTimeout());
}
