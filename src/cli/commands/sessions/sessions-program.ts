import type { CliCommand } from '../../cli-command.ts';
import { approving, wholeNumber, repeatable } from '../../arguments.ts';
import type { SendFlags } from './send-to-sessions.ts';

/** The commands for agents that are online. */
export function addSessionCommands(program: CliCommand): void {
  const sessions = program
    .command('sessions')
    .summary('list agents that are online; restart, stop and update them')
    .description('List, restart, stop or update the agents that are online.')
    .examples('sluice sessions list', 'sluice sessions rollout --all --max-unavailable 2');

  conditions(sessions.command('list').argument('[ids...]', 'ids of sessions to list (default: all)'))
    .summary('list agents that are online')
    .description('List agents that are online. If several filters are given, an agent must match all of them.')
    .examples('sluice sessions list', "sluice sessions list --region eu --version '<3.5.0'")
    .loads(async () => (await import('./list-sessions.ts')).listSessions);

  sessions
    .command('get')
    .argument('<id>', 'id of a session')
    .summary('show one agent')
    .description('Show all fields of the session of one agent.')
    .examples('sluice sessions get ts_2mJ9bXvEyDRgSLWvmEXDbCRgLDD')
    .loads(async () => (await import('./list-sessions.ts')).getSession);

  const about = {
    restart: 'A restarted agent reconnects with a new session. Agents on Windows cannot be restarted.',
    stop: 'A stopped agent exits, and its endpoints go offline.',
    update:
      'An updated agent keeps running its old version until it is restarted; wait at least ten seconds before the restart. Updates never change the major version.',
  } as const;
  for (const command of ['restart', 'stop', 'update'] as const)
    approving(selection(sessions.command(command)))
      .summary(`${command} agents`)
      .description(`Send each selected agent the command ${command} once. ${about[command]}`)
      .option('--dry-run', 'print the requests without sending them')
      .examples(
        `sluice sessions ${command} --region eu --os linux --dry-run`,
        `sluice sessions ${command} --all --auto-approve`,
      )
      .runs(async (context, ids: readonly string[], flags: SendFlags) =>
        (await import('./send-to-sessions.ts')).sendToSessions(context, command, ids, flags),
      );

  approving(selection(sessions.command('rollout')))
    .summary('update and restart agents, a few at a time')
    .description(
      'Show the rollout plan, ask for approval, then process agents in batches: update, wait ten seconds, restart, wait until each agent has reconnected with a new session. The rollout stops at the first failure. Without --update and --restart, the rollout does both. A rollout that restarts agents skips agents on Windows.',
    )
    .option('--update', 'update agents; agents that are up to date are not changed')
    .option('--restart', 'restart agents, after the update if --update is set as well')
    .option(
      '--max-unavailable <n>',
      'maximum number of agents that are offline at the same time',
      wholeNumber(10_000),
      1,
    )
    .option('--timeout <seconds>', 'how long to wait for an agent to reconnect', wholeNumber(86_400), 120)
    .option('--dry-run', 'print the requests without sending them')
    .examples(
      'sluice sessions rollout --all --max-unavailable 2',
      "sluice sessions rollout --update --restart --region eu --version '<3.5.0' --max-unavailable 5 --auto-approve",
    )
    .loads(async () => (await import('./rollout.ts')).rollout);
}

function selection(command: CliCommand): CliCommand {
  return conditions(command.argument('[ids...]', 'ids of sessions to select, from `sluice sessions list`')).option(
    '--all',
    'select every agent that is online',
  );
}

function conditions(command: CliCommand): CliCommand {
  return command
    .option('--region <region>', 'filter by region; repeatable', repeatable)
    .option('--os <os>', "filter by operating system; * matches any text, as in 'windows*'; repeatable", repeatable)
    .option('--version <range>', "filter by version range, such as '<3.5.0' or 3.x")
    .option('--credential <id>', 'filter by credential; repeatable', repeatable)
    .option(
      '--metadata <text>',
      'filter by metadata, or by KEY=VALUE if the metadata is a JSON object; repeatable',
      repeatable,
    )
    .option('--started-before <time>', 'filter by sessions started before this time, such as 2026-03-01T12:00:00Z');
}
