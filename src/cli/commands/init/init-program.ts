import { Option } from 'commander';
import type { CliCommand } from '../../cli-command.ts';

/** The command that creates a stack. */
export function addInitCommand(program: CliCommand): void {
  program
    .command('init')
    .summary('create a stack in a directory')
    .description(
      'Create a stack: sluice.yaml with a random stack id, and a manifest to start from. The stack uses the emulator inside sluice until you set api.base_url. An existing file is never overwritten.',
    )
    .option('--name <name>', 'name of the stack (default: name of the directory)')
    .addOption(new Option('--empty', 'do not create a manifest').conflicts('example'))
    .option('--example', 'create the example company: every kind and module')
    .choice(
      '--state <store>',
      'store of the state and its lock: a local file, a PostgreSQL database or an S3 bucket',
      ['file', 'postgres', 's3'],
      'file',
    )
    .addOption(
      new Option(
        '--new-id',
        'write a new stack id into an existing sluice.yaml, for a stack that was copied from another stack',
      ).conflicts(['empty', 'example', 'name', 'state']),
    )
    .examples('sluice init', 'sluice -C shop init', 'sluice -C company init --example', 'sluice init --new-id')
    .loads(async () => (await import('./init-command.ts')).init);
}
