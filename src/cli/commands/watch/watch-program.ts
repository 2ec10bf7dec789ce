import { InvalidArgumentError, type Command } from 'commander';
import { listenPattern } from '../../../model/listen-pattern.ts';
import { duration, examples, parallelism } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { WatchFlags } from './watch-command.ts';
import type { PauseFlags } from './operator-commands.ts';

/** Adds `watch` and what persons say to one that runs: `approve`, `pause`, `resume`. */
export function addWatchCommands(program: Command, start: Start): void {
  program
    .command('watch')
    .summary('keep the account as a directory says, for months')
    .argument('[dir]', 'the directory of the stack, such as the one git-sync keeps; else as with -C')
    .description(
      'Watches the manifests and the account, and makes the account what the manifests say, as far as `watch` in sluice.yaml lets it. Serves a status page, metrics and probes on loopback.',
    )
    .option('--poll', 'compare the files at intervals only, where file events do not arrive')
    .option('--listen <address>', 'where to serve, host:port; port 0 is any that is free', address)
    .option('--no-listen', 'serve nothing')
    .addOption(parallelism())
    .addHelpText(
      'after',
      `${examples('sluice watch', 'sluice watch /git/current --listen 0.0.0.0:9470', 'sluice watch --poll --no-listen')}

It runs until SIGTERM or Ctrl-C, finishes the request under way, and ends with 130.`,
    )
    .action((dir: string | undefined, flags: WatchFlags) =>
      start(async (context) => (await import('./watch-command.ts')).watchStack(context, dir, flags)),
    );

  program
    .command('approve')
    .summary('let a watch make the changes it waits with')
    .argument('<digest>', 'as its status page and its log show it')
    .description(
      'Approves exactly the changes that a digest stands for. If they are other ones by then, nothing happens.',
    )
    .addHelpText('after', examples(`sluice approve sha256:${'0'.repeat(64)}`))
    .action((digest: string) =>
      start(async (context) => (await import('./operator-commands.ts')).approve(context, digest)),
    );

  program
    .command('pause')
    .summary('have a watch do nothing for a while')
    .description('Has the watch of this stack do nothing, also after a restart, so that others may apply meanwhile.')
    .option('--for <duration>', 'how long, such as 30m or 2d; an hour when left out', duration)
    .option('--until <time>', 'until when, RFC 3339')
    .option('--reason <text>', 'why, for the status page')
    .addHelpText('after', examples('sluice pause --for 2h --reason "moving the office"'))
    .action((flags: PauseFlags) =>
      start(async (context) => (await import('./operator-commands.ts')).pause(context, flags)),
    );

  program
    .command('resume')
    .summary('end a pause')
    .description('Ends a pause of the watch of this stack.')
    .action(() => start(async (context) => (await import('./operator-commands.ts')).resume(context)));
}

function address(text: string): string {
  if (listenPattern.test(text)) return text;
  throw new InvalidArgumentError('It must be host:port, such as 127.0.0.1:9470.');
}
