import type { CliCommand } from '../../cli-command.ts';
import { defaultStatePath } from '../../../manifest/stack-file/default-state-path.ts';
import { approving, lockTimeout, parallelism, repeatable } from '../../arguments.ts';
import { stopManaging } from '../../usage/stop-managing.ts';
import type { MoveFlags } from './state-move.ts';

/** The commands for the state of a stack. */
export function addStateCommands(program: CliCommand): void {
  const state = program
    .command('state')
    .summary('list, show and repair the state of the stack')
    .description('Show and repair the state of the stack. These commands never change the account.')
    .examples('sluice state list', 'sluice state rebuild');

  output(state.command('list'))
    .summary('list resources in the state')
    .description('List the resources in the state, and creations whose outcome is unknown.')
    .examples('sluice state list', 'sluice state list -o json')
    .loads(async () => (await import('./state-list.ts')).listState);

  output(state.command('show').argument('[address]', 'address of a resource, such as Kind/name (default: all)'))
    .summary('show a resource in the state')
    .description('Show one resource in the state, or all of them, as last applied. Digests of secrets are not shown.')
    .examples('sluice state show', 'sluice state show Kind/name -o json')
    .loads(async () => (await import('./state-list.ts')).showState);

  waiting(state.command('forget').argument('<address>', 'address of a resource, such as Kind/name'))
    .summary('remove a resource from the state')
    .description(
      `Remove a resource from the state. The live resource is not changed. If the resource has the ownership marker of this stack, the next plan finds the marker, and this stack manages the resource again. To stop managing the resource, ${stopManaging}.`,
    )
    .examples('sluice state forget Kind/name')
    .loads(async () => (await import('./state-forget.ts')).forgetState);

  waiting(state.command('rebuild'))
    .summary('rebuild the state from the account')
    .description(
      'Rebuild the state from the ownership markers on the resources of this stack. The previous state is kept as a backup; a state file that cannot be read is moved aside.',
    )
    .option(
      '--id <address=id>',
      'address and id of an existing resource that has no ownership marker and belongs to this stack; repeatable',
      repeatable,
    )
    .addOption(parallelism())
    .examples('sluice state rebuild', 'sluice state rebuild --id Kind/name=id')
    .loads(async () => (await import('./state-rebuild.ts')).rebuildState);

  waiting(state.command('resolve').argument('<address>', 'address of the resource to be created, such as Kind/name'))
    .summary('resolve a creation whose outcome is unknown')
    .description(
      'Record the outcome of a creation whose response was lost and whose outcome sluice cannot check. Until the outcome is recorded, sluice does not send the request again, every plan reports the creation, and apply and destroy exit with 6.',
    )
    .option('--id <id>', 'the resource exists and has this id; sluice checks this in the account')
    .option('--absent', 'the resource does not exist')
    .examples('sluice state resolve Kind/name --id id', 'sluice state resolve Kind/name --absent')
    .loads(async () => (await import('./state-resolve.ts')).resolveState);

  state
    .command('lock')
    .summary('show who has the lock of the state')
    .description(
      'Show who has the lock of the state: command, user, host, since when, and the job of the pipeline. If the run that has the lock no longer exists, the next run takes over the lock automatically.',
    )
    .examples('sluice state lock', 'sluice state lock --format json')
    .loads(async () => (await import('./state-lock.ts')).showLock);

  state
    .command('probe')
    .summary('test whether the state store can be used as a lock')
    .description(
      'Test with concurrent writes whether the shared state store can be used as a lock. The first run in a store runs the test automatically. Exits with 8 if a test fails.',
    )
    .examples('sluice state probe')
    .loads(async () => (await import('./state-lock.ts')).probeState);

  for (const [direction, how] of [
    ['push', 'from local files into the shared store that sluice.yaml names'],
    ['pull', 'from the shared store that sluice.yaml names into local files'],
  ] as const)
    waiting(state.command(direction))
      .summary(`move the state ${how}`)
      .description(
        `Move the state ${how}, including the pause, the approvals and the other data of a watch. Both locations are locked during the move. A later run that uses the old location fails with an error that names the new location. Backups and run records are not moved.`,
      )
      .option('--file <path>', `state file, relative to sluice.yaml (default: ${defaultStatePath})`)
      .examples(`sluice state ${direction}`)
      .runs(async (context, flags: MoveFlags) =>
        (await import('./state-move.ts')).moveState(context, direction, flags),
      );

  approving(waiting(state.command('remove')))
    .summary('remove a state without resources')
    .description(
      'Remove the state of a stack that was destroyed, with its backups, its run records and the data of its watch. The lock remains, so that a run that started before the removal cannot write. Exits with 3 if there are resources in the state.',
    )
    .examples('sluice state remove', 'sluice state remove --auto-approve')
    .loads(async () => (await import('./state-remove.ts')).removeState);

  approving(state.command('unlock'))
    .summary('release the lock of a run that no longer exists')
    .description(
      'Show the holder of the state lock, ask for approval, and release the lock. If the run that holds the lock is still active, it stops before its next request.',
    )
    .option('--now', 'for a shared store: unlock now, without waiting until the other run can no longer write')
    .examples('sluice state unlock', 'sluice state unlock --auto-approve')
    .loads(async () => (await import('./state-lock.ts')).unlockState);
}

function output(command: CliCommand): CliCommand {
  return command.choice('-o, --output <form>', 'output format', ['table', 'yaml', 'json']);
}

function waiting(command: CliCommand): CliCommand {
  return command.addOption(lockTimeout());
}
