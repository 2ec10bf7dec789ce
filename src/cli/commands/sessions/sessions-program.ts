import type { Command } from 'commander';
import { wholeNumber, examples, repeatable } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { RolloutFlags } from './rollout.ts';
import type { SessionSelection } from './select-sessions.ts';
import type { SendFlags } from './send-to-sessions.ts';

/** The commands about agents that are online. */
export function addSessionCommands(program: Command, start: Start): void {
  const sessions = program
    .command('sessions')
    .summary('list agents that are online; restart, stop and update them')
    .description('Shows the agents that are online, and tells them to restart, stop or update.')
    .addHelpText('after', examples('sluice sessions list', 'sluice sessions rollout --all --max-unavailable 2'));

  conditions(sessions.command('list').argument('[ids...]', 'sessions'))
    .summary('list agents that are online')
    .description('Lists the agents that are online: all, those named, or those that every condition fits.')
    .addHelpText('after', examples('sluice sessions list', "sluice sessions list --region eu --version '<3.5.0'"))
    .action((ids: readonly string[], flags: SessionSelection) =>
      start(async (context) => (await import('./list-sessions.ts')).listSessions(context, ids, flags)),
    );

  sessions
    .command('get')
    .argument('<id>', 'a session')
    .summary('show one agent')
    .description('Shows everything that the session of one agent tells.')
    .addHelpText('after', examples('sluice sessions get ts_2mJ9bXvEyDRgSLWvmEXDbCRgLDD'))
    .action((id: string) => start(async (context) => (await import('./list-sessions.ts')).getSession(context, id)));

  const about = {
    restart: 'An agent comes back under a new session. Agents on Windows cannot be restarted.',
    stop: 'An agent that is stopped exits, and what it serves is no longer served.',
    update:
      'An agent runs its old version until it is restarted, at least ten seconds after. A new major version is never taken.',
  } as const;
  for (const command of ['restart', 'stop', 'update'] as const)
    selection(sessions.command(command))
      .summary(`${command} agents`)
      .description(`Tells agents to ${command}, each once. ${about[command]}`)
      .option('-y, --yes', 'do not ask before more than one agent')
      .option('--dry-run', 'print what would be sent; send nothing')
      .addHelpText(
        'after',
        examples(
          `sluice sessions ${command} --region eu --os linux --dry-run`,
          `sluice sessions ${command} --all --yes`,
        ),
      )
      .action((ids: readonly string[], flags: SendFlags) =>
        start(async (context) => (await import('./send-to-sessions.ts')).sendToSessions(context, command, ids, flags)),
      );

  selection(sessions.command('rollout'))
    .summary('update and restart agents, a few at a time')
    .description(
      'Shows its plan, asks, and then goes batch by batch: update, wait ten seconds, restart, wait until each agent is back under a new session. The first failure ends it. With neither --update nor --restart it does both. Agents on Windows are left out where they would have to be restarted.',
    )
    .option('--update', 'update agents; those on the newest version already are left alone')
    .option('--restart', 'restart agents, after the update if there is one')
    .option('--max-unavailable <n>', 'how many agents may be away at once', wholeNumber(10_000), 1)
    .option('--timeout <seconds>', 'how long an agent may take to be back', wholeNumber(86_400), 120)
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'print what would be sent; send nothing')
    .addHelpText(
      'after',
      examples(
        'sluice sessions rollout --all --max-unavailable 2',
        "sluice sessions rollout --update --restart --region eu --version '<3.5.0' --max-unavailable 5 --yes",
      ),
    )
    .action((ids: readonly string[], flags: RolloutFlags) =>
      start(async (context) => (await import('./rollout.ts')).rollout(context, ids, flags)),
    );
}

function selection(command: Command): Command {
  return conditions(command.argument('[ids...]', 'sessions')).option('--all', 'every agent that is online');
}

function conditions(command: Command): Command {
  return command
    .option('--region <region>', 'agents in this region; repeatable', repeatable)
    .option('--os <os>', "agents on this system; * stands for anything, as in 'windows*'; repeatable", repeatable)
    .option('--version <range>', "agents of these versions, such as '<3.5.0' or 3.x")
    .option('--credential <id>', 'agents with this credential; repeatable', repeatable)
    .option(
      '--metadata <text>',
      'agents with this metadata, or KEY=VALUE where it is a JSON object; repeatable',
      repeatable,
    )
    .option('--started-before <time>', 'agents whose session began before, as in 2026-03-01T12:00:00Z');
}
