import { InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from '../../cli-command.ts';
import { isPageUrl } from '../../../model/is-page-url.ts';
import { listenAddress } from '../../../model/exposure/listen-pattern.ts';
import { approving, duration, parallelism, wholeNumber } from '../../arguments.ts';

/** Adds `watch` and the operator requests to a running one: `approve`, `pause`, `resume`, `reconcile`, `status`. */
export function addWatchCommands(program: CliCommand): void {
  program
    .command('watch')
    .summary('reconcile the account with a directory continuously')
    .argument(
      '[dir]',
      'directory of the stack, for example one that git-sync updates (default: the directory of -C, or the working directory)',
    )
    .description(
      'Watch the manifests and the account, and make the changes required by the manifests, as far as the `watch` settings in sluice.yaml allow. Serves a status page, metrics and probes on loopback.',
    )
    .option('--fleet <dir>', 'watch every stack in and below this directory, including stacks that are added later')
    .option('--concurrency <n>', 'with --fleet: how many stacks reconcile at a time (default: 4)', wholeNumber(64))
    .option(
      '--replicas <file>',
      'with --fleet: divide the stacks among all replicas that use this file, which sets the shared store of the replicas',
    )
    .option('--poll', 'find changed files by scanning at intervals, for file systems without file events')
    .option('--listen <address>', 'address to serve the status page on, host:port; port 0 selects a free port', address)
    .option('--no-listen', 'do not serve the status page, metrics and probes')
    .option('--listen-probes <address>', 'additional address for health probes only, host:port', address)
    .option('--no-listen-probes', 'do not serve health probes on an additional address')
    .option('--url <url>', 'public URL of the status page; a standby links to the URL of the leader', pageUrl)
    .option(
      '--approval-token-file <file>',
      'accept approvals on the status page of each stack from users with the token in this file',
    )
    .option(
      '--approval-user-header <name>',
      'HTTP header in which a trusted proxy passes the user who approves on the status page',
    )
    .option(
      '--approval-proxy <address>',
      'IP address of the trusted proxy; the header is ignored in requests from other addresses',
    )
    .option(
      '--approval-keys <file>',
      'accept approvals from commits signed with an SSH key in this file of allowed signers',
    )
    .addOption(parallelism())
    .examples(
      'sluice watch',
      'sluice watch /git/current --listen 0.0.0.0:9470',
      'sluice watch --poll --no-listen',
      'sluice watch --fleet stacks',
    )
    .footer(`With --fleet, the flags for approvals apply to every stack: its changes can be approved on its page
(/stacks/NAME), and by signed commits in its repository.

On SIGTERM or Ctrl-C, the watch finishes the requests in flight and exits with 130.`)
    .loads(async () => (await import('./watch-command.ts')).watchCommand);

  approving(program.command('approve'))
    .summary('approve the pending changes of a watch')
    .argument('[digest]', 'digest of the pending changes, from the status page or the log of the watch')
    .description(
      'Show the pending changes of a watch, ask for confirmation, and approve exactly these changes. If the pending changes do not match the digest, nothing is approved. If they no longer match at the time of the apply, nothing is applied.',
    )
    .option('--reason <text>', 'reason to record with the approval')
    .examples('sluice approve', `sluice approve sha256:${'0'.repeat(64)} --reason "CHG-1042"`)
    .loads(async () => (await import('./approve-command.ts')).approveCommand);

  program
    .command('pause')
    .summary('pause the watch of this stack')
    .description(
      'Pause the watch of this stack and release its lock, so that others can apply. A restart does not end the pause.',
    )
    .addOption(
      new Option('--for <duration>', 'duration of the pause, such as 30m or 2d (default: 1h)')
        .argParser(duration)
        .conflicts('until'),
    )
    .option('--until <time>', 'end of the pause: a time in RFC 3339, such as 2030-01-31T18:00:00Z')
    .option('--reason <text>', 'reason to show on the status page')
    .examples('sluice pause --for 2h --reason "moving the office"')
    .loads(async () => (await import('./operator-commands.ts')).pause);

  program
    .command('resume')
    .summary('resume a paused watch')
    .description('Resume the paused watch of this stack.')
    .loads(async () => (await import('./operator-commands.ts')).resume);

  program
    .command('reconcile')
    .summary('make a running watch reconcile now')
    .description(
      'Make the running watch of this stack read the account and reconcile now, as far as the settings of the watch allow, and print the result. The command connects to the socket of the watch, on the same machine and as the same user.',
    )
    .examples('sluice reconcile', 'sluice reconcile --format json')
    .footer(`Exits with 0 if everything is in sync, 2 if changes are pending, and 1 if something failed or the
watch is paused.`)
    .loads(async () => (await import('./reconcile-command.ts')).reconcileCommand);

  program
    .command('status')
    .summary('show the status of a running watch')
    .argument('[stack]', 'the stack of a fleet to show, by its directory as on the status page')
    .description(
      'Print the status of the running watch of this stack, which the command asks over its local socket. With --url, or outside the directory of a stack, read the status page of a watch instead: of a fleet (all of its stacks, or one), or of a single stack.',
    )
    .option(
      '--url <url>',
      'URL of the status page to read; without it, a command outside of a stack reads http://127.0.0.1:9470',
      pageUrl,
    )
    .examples(
      'sluice status',
      'sluice status --url http://127.0.0.1:9470',
      'sluice status teams/shop --url http://127.0.0.1:9470',
    )
    .footer(`Exits with 0 if everything is in sync, 2 if changes are pending or being applied, and 1 if
something failed or the account has not been read yet.`)
    .loads(async () => (await import('./status-command.ts')).statusCommand);
}

function pageUrl(text: string): string {
  if (isPageUrl(text)) return text;
  throw new InvalidArgumentError('The value must be an http or https URL, such as http://10.1.2.3:9470.');
}

function address(text: string): string {
  if (listenAddress(text) !== undefined) return text;
  throw new InvalidArgumentError('The value must be host:port, such as 127.0.0.1:9470.');
}
