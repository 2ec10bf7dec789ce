import type { Command } from 'commander';
import { CliCommand, type Start } from './cli-command.ts';
import type { GlobalFlags } from './context.ts';
import type { Format } from '../render/formats/format.ts';
import { formats, type FormatName } from '../render/formats/formats.ts';
import { helpWidth } from './usage/prepared-answer.ts';
import { logLevels } from '../diagnostics/log.ts';
import type { Io } from './io.ts';
import { argumentError } from './usage/argument-error.ts';
import { refuseEmpty } from './usage/refuse-empty.ts';
import { UnknownCommand } from './usage/unknown-command.ts';
import { assignment } from './arguments.ts';
import { addAbuseReportCommands } from './commands/abuse-reports/abuse-reports-program.ts';
import { addCompletionCommand } from './commands/completion/completion-program.ts';
import { addEmulatorCommand } from './commands/emulator/emulator-program.ts';
import { addEndpointCommands } from './commands/endpoints-program.ts';
import { addPlanCommands } from './commands/plan-programs.ts';
import { addSessionCommands } from './commands/sessions/sessions-program.ts';
import { addStackCommands } from './commands/stack-programs.ts';
import { addStateCommands } from './commands/state/state-program.ts';
import { addWatchCommands } from './commands/watch/watch-program.ts';

/** The command line: every command with its flags and help. The code of a command is loaded when it is called. */
export function makeProgram(io: Io, version: string, start: Start): CliCommand {
  const program = new CliCommand('sluice', start)
    .description(
      'Manage the edges, routes, addresses and other resources of a Tunnel Management API account as YAML in git.',
    )
    // main handles --version alone; after a subcommand it is a filter on agents.
    .version(version, '-V', 'print the version (or --version)')
    .option('-C <dir>', 'search for the stack (sluice.yaml) from this directory upwards')
    .choice('--format <format>', 'output format', Object.keys(formats), 'text')
    .option('--no-color', 'disable colored output (or set NO_COLOR)')
    .option('--proxy <url>', 'connect to the service through this HTTP proxy (or set SLUICE_PROXY or HTTPS_PROXY)')
    .option('--ca-file <file>', 'also trust the certificate authorities in this PEM file (or set SLUICE_CA_FILE)')
    .option('--var <name=value>', 'value of a variable of sluice.yaml (or set SLUICE_VAR_NAME); repeatable', assignment)
    .option(
      '--operator-policy <file>',
      'file with the operator policy, which the stack cannot loosen (or set SLUICE_OPERATOR_POLICY)',
    )
    .choice('--log-level <level>', 'verbosity of the log on standard error (or set SLUICE_LOG)', logLevels)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => helpWidth(io.terminal.out, io.terminal.columns),
      getErrHelpWidth: () => 100,
      outputError: (text, write) => {
        const { message, hint } = argumentError(text);
        write(`error: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`);
      },
    })
    .exitOverride()
    .hook('preAction', (main, command) => {
      takeOutputForm(main, command);
      return requireOffered(main.opts<GlobalFlags>().format ?? 'text', command);
    }).footer(`Start with \`sluice init\`, then run \`sluice validate\`, \`sluice plan\` and \`sluice apply\`.

The API key is read from SLUICE_API_KEY, from the file named by SLUICE_API_KEY_FILE, or from \`api.key\` in
sluice.yaml; never from an argument. SLUICE_BASE_URL and SLUICE_VENDOR override sluice.yaml.

Exit codes: 0 success, 1 failed, 2 changes pending, 3 refused, 4 plan is stale, 5 state is locked,
6 partially applied, 7 permission denied, 8 invalid input or usage, 130 interrupted.`);

  addPlanCommands(program);
  addStackCommands(program);
  program.on('command:*', ([word = '']: string[]) => {
    throw new UnknownCommand(word, program);
  });
  addWatchCommands(program);
  addSessionCommands(program);
  addEndpointCommands(program);
  addStateCommands(program);
  addAbuseReportCommands(program);
  addEmulatorCommand(program);
  addCompletionCommand(program);
  addHelpCommands(program);
  refuseEmpty(program);
  return program;
}

/** `-o json` is `--format json`, so that an error is a document as well. */
function takeOutputForm(main: Command, command: Command): void {
  const { output } = command.opts<{ readonly output?: string }>();
  if (output === undefined) return;
  if (main.getOptionValueSource('format') === 'cli') command.error('error: -o cannot be combined with --format');
  if (output === 'json') main.setOptionValue('format', output);
}

// What commands show that formats may render in a way of their own, by command.
const results: Readonly<Record<string, 'plan' | 'outcome' | 'validation' | 'exposure'>> = {
  plan: 'plan',
  show: 'plan',
  apply: 'outcome',
  destroy: 'outcome',
  validate: 'validation',
  exposure: 'exposure',
};

/** Refuses a format that does not render the result of the command. */
async function requireOffered(name: FormatName, command: Command): Promise<void> {
  const format = await formats[name]();
  const path = pathOf(command);
  if (renders(format, path)) return;
  const all = await Promise.all(
    Object.entries(formats).map(async ([other, load]) => ({ other, format: await load() })),
  );
  const offered = all.filter((one) => renders(one.format, path)).map(({ other }) => other);
  const commands = Object.keys(results).filter((one) => renders(format, one));
  command.error(
    `error: --format ${name} is available for ${commands.join(', ')}; ${path} supports ${offered.join(', ')}`,
  );
}

function renders(format: Format, command: string): boolean {
  const result = results[command];
  return format.result !== undefined || (result !== undefined && format[result] !== undefined);
}

/** The command with those it belongs to, such as `state show`. */
function pathOf(command: Command): string {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : `${pathOf(above)} ${command.name()}`;
}

/** Adds `help` to a group of commands and to the groups in it. Commander's own takes any word for a command. */
function addHelpCommands(group: Command): void {
  for (const command of group.commands) if (command.commands.length > 0) addHelpCommands(command);
  group
    .helpCommand(false)
    .command('help')
    .argument('[command...]', 'the command to show help for, such as endpoints list')
    .summary('show help for a command')
    .description('Show help for a command.')
    .action((words: readonly string[]) => commandNamed(words, group).help());
}

function commandNamed([word, ...rest]: readonly string[], group: Command): Command {
  if (word === undefined) return group;
  const command = group.commands.find((one) => one.name() === word);
  if (command === undefined) throw new UnknownCommand(word, group);
  return commandNamed(rest, command);
}
