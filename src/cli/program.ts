import { Option, type Command } from 'commander';
import { CliCommand, type Start } from './cli-command.ts';
import type { Context, GlobalFlags } from './context.ts';
import { formats } from '../render/formats/formats.ts';
import type { CommentFlags } from './ci.ts';
import { requireOffered } from './output/require-offered.ts';
import { helpWidth } from './usage/prepared-answer.ts';
import { logLevels } from '../diagnostics/log.ts';
import type { Io } from './io.ts';
import { refuseEmpty } from './usage/refuse-empty.ts';
import type { AllFlags } from './commands/all/stacks-of-run.ts';
import type { PlanFlags } from './commands/plan-command.ts';
import type { ValidateFlags } from './commands/validate-command.ts';
import type { ApplyFlags } from './commands/apply-command.ts';
import {
  acceptMissing,
  allow,
  approving,
  assignment,
  wholeNumber,
  lockTimeout,
  parallelism,
  selecting,
} from './arguments.ts';
import { addAbuseReportCommands } from './commands/abuse-reports/abuse-reports-program.ts';
import { addCompletionCommand } from './commands/completion/completion-program.ts';
import { addEmulatorCommand } from './commands/emulator/emulator-program.ts';
import { addEndpointCommands } from './commands/endpoints-program.ts';
import { addExplainCommand } from './commands/explain-program.ts';
import { addExposureCommand } from './commands/exposure/exposure-program.ts';
import { addExportCommands } from './commands/export/export-program.ts';
import { addFmtCommand } from './commands/fmt/fmt-program.ts';
import { addHelpCommands } from './commands/help-program.ts';
import { addInitCommand } from './commands/init/init-program.ts';
import { addHistoryCommand } from './commands/history/history-program.ts';
import { addImportCommand } from './commands/import/import-program.ts';
import { addPipelineCommands } from './commands/pipeline-program.ts';
import { addOutputCommand } from './commands/output/output-program.ts';
import { addRenderCommand } from './commands/render/render-program.ts';
import { addRollbackCommand } from './commands/rollback/rollback-program.ts';
import { addSessionCommands } from './commands/sessions/sessions-program.ts';
import { addStateCommands } from './commands/state/state-program.ts';
import { addTraceCommand } from './commands/trace/trace-program.ts';
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
    .option(
      '--var <name=value>',
      'set a variable of sluice.yaml to this value (or set SLUICE_VAR_NAME); repeatable',
      assignment,
    )
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
      // `run` reports them.
      outputError: () => undefined,
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

  severally(reading(program.command('validate').summary('check the manifests without contacting the service')))
    .description('Check the manifests of the stack without contacting the service. Reports all problems at once.')
    .option('--github-annotations', 'annotate the lines of a pull request with warnings and errors')
    .examples('sluice validate', 'sluice validate -f manifests/shop.yaml', 'sluice validate --format sarif')
    .runs((context, flags: ValidateFlags & AllFlags) =>
      inStacks(context, 'validate', flags, async (own) =>
        (await import('./commands/validate-command.ts')).validate(own, flags),
      ),
    );

  severally(deciding(commenting(reading(program.command('plan').summary('show changes required by the manifests')))))
    .description(
      'Show changes required by the manifests, with the reason for each. Reads the manifests and the account; writes nothing to the account.',
    )
    .option('--detailed-exitcode', 'exit with 2 if changes are pending, or if an access rule is broken in the account')
    .option('--destroy', 'plan the deletion of all resources of the stack')
    .option('--drift-only', 'show only what has changed in the account since the last apply')
    .option('--requests', 'list every request that apply would make')
    .option(
      '--base <ref>',
      'target branch of the pull request, such as origin/main: show separately what this branch adds, what was already pending on the target branch, and drift',
    )
    .option('--check <digest>', 'exit with 0 if the plan has this digest, otherwise with 4')
    .option('--verify', 'apply the plan to a simulated copy of the account; exit with 1 if changes remain there')
    .addOption(allow())
    .option('--snapshot <file>', 'read the account from a file written by `sluice snapshot`, without an API key')
    .option('--out <file>', 'save the plan for `sluice apply <file>`; the file contains no secrets')
    .option('--github-summary', 'add the plan to the job summary of a GitHub Actions run')
    .option('--github-annotations', 'annotate the lines of a pull request with hazards, warnings and errors')
    .option(
      '--gitlab-report <file>',
      'write the numbers of the plan to this file as a Terraform report, which GitLab shows on a merge request',
    )
    .examples(
      'sluice plan',
      'sluice plan --requests -l team=web',
      'sluice plan --detailed-exitcode --format json',
      'sluice plan --all environments/',
    )
    .runs((context, flags: PlanFlags & AllFlags) =>
      inStacks(context, 'plan', flags, async (own) => (await import('./commands/plan-command.ts')).plan(own, flags)),
    );

  severally(
    deciding(
      commenting(writing(reading(program.command('apply').summary('make the changes required by the manifests')))),
    ),
  )
    .argument(
      '[plan]',
      'plan file written by `sluice plan --out`; sluice plans again, and applies only if it gets the same plan',
    )
    .option('--digest <digest>', 'apply only if the plan has this approved digest; otherwise exit with 4')
    .option(
      '--reviewed',
      'apply only a plan whose digest was approved on the merged pull request; otherwise exit with 4',
    )
    .description(
      'Plan, ask for approval, and make the changes required by the manifests. Without a terminal, --auto-approve is required. A saved plan is applied without asking: it was approved when it was reviewed.',
    )
    .examples(
      'sluice apply',
      'sluice apply --auto-approve',
      'sluice apply --auto-approve --allow OPENS_ACCESS',
      'sluice apply --all environments/',
    )
    .footer(`Exit codes: 0 applied or no changes, 1 failed, 3 refused (nothing written), 6 partially applied.`)
    .runs((context, saved: string | undefined, flags: ApplyFlags & AllFlags) =>
      inStacks(context, 'apply', { ...flags, saved }, async (own) =>
        saved === undefined
          ? (await import('./commands/apply-command.ts')).apply(own, flags)
          : (await import('./commands/apply-saved.ts')).applySaved(own, saved, flags),
      ),
    );

  commenting(program.command('show'))
    .summary('show a saved plan')
    .argument('<plan>', 'a plan file written by `sluice plan --out`')
    .description('Show a saved plan as of the time it was created, with the digest used to approve it.')
    .option('--requests', 'list every request that apply would make')
    .examples('sluice show plan.bin', 'sluice show plan.bin --format json')
    .loads(async () => (await import('./commands/show-command.ts')).show);

  addPipelineCommands(program);

  commenting(writing(program.command('destroy').summary('delete all resources of this stack')))
    .description(
      'Delete all resources of this stack. If any of them is protected, nothing is deleted: first remove the protection in the manifests and apply that change.',
    )
    .addOption(parallelism())
    .addOption(acceptMissing())
    .addOption(keepOldest())
    .addOption(new Option('--all [dir]').hideHelp())
    .examples('sluice destroy', 'sluice destroy --auto-approve')
    .footer(`Exit codes: 0 deleted, 3 refused because a resource is protected (nothing written), 6 partially deleted.`)
    .loads(async () => (await import('./commands/destroy-command.ts')).destroy);

  program
    .command('get')
    .summary('show live resources')
    .argument('<kind>', 'a kind such as https-edge or edges, or an address such as edge/name')
    .argument('[name]', 'name of a resource in this stack, or its id')
    .description(
      'Show all live resources of a kind in the account, whether or not this stack manages them. Secrets are masked.',
    )
    .choice('-o, --output <form>', 'output format; yaml and json show all fields', ['table', 'yaml', 'json'])
    .examples('sluice get https-edge', 'sluice get reserved-addr mqtt-eu -o yaml')
    .loads(async () => (await import('./commands/get-command.ts')).get);

  program
    .command('schema')
    .summary('print the JSON Schema of manifests')
    .argument('[kind]', 'a kind, or sluice.yaml (default: all kinds)')
    .description('Print the JSON Schema of manifests, for editors and other tools.')
    .examples('sluice schema', 'sluice schema https-edge')
    .loads(async () => (await import('./commands/schema-command.ts')).schema);

  addInitCommand(program);
  addExplainCommand(program);
  addExportCommands(program);
  addExposureCommand(program);
  addFmtCommand(program);
  addHistoryCommand(program);
  addImportCommand(program);
  addOutputCommand(program);
  addTraceCommand(program);
  addRenderCommand(program);
  addRollbackCommand(program);
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

/** Flags of commands whose result can be posted as a comment. */
function commenting(command: CliCommand): CliCommand {
  return command
    .choice(
      '--platform <platform>',
      'with --format markdown: platform on which the output is shown (default: detected in a pipeline)',
      ['github', 'gitlab', 'gitea', 'bitbucket'],
    )
    .option(
      '--max-bytes <n>',
      'with --format markdown: maximum size of the output in bytes (default: the limit of the platform)',
      wholeNumber(9_999_999, 2048),
    );
}

function reading(command: CliCommand): CliCommand {
  return selecting(command).addOption(parallelism());
}

/** Flags of commands that plan: each overrides a safety check. */
function deciding(command: CliCommand): CliCommand {
  return command
    .option('--resend-secrets', 'send secrets whose live value cannot be verified')
    .option('--require-verified-secrets', 'exit with 3 if a secret cannot be verified')
    .addOption(acceptMissing())
    .addOption(keepOldest())
    .option(
      '--rename-from <name>',
      'previous name of this stack; this stack keeps the resources whose ownership marker has that name',
    )
    .option('--allow-empty', 'allow the deletion of all resources of the stack if the manifests define no resources');
}

/** Runs a command in its stack, or in several; --since alone is reported there. */
async function inStacks(
  context: Context,
  name: 'validate' | 'plan' | 'apply',
  flags: AllFlags & CommentFlags,
  command: (context: Context) => Promise<number>,
): Promise<number> {
  if ((flags.all ?? flags.since) === undefined) return command(context);
  return (await import('./commands/all/on-all-stacks.ts')).onAllStacks(context, name, flags, command);
}

function severally(command: CliCommand): CliCommand {
  return command
    .option(
      '--all [dir]',
      'run the command in every stack at and below this directory (default: the working directory, or the one of -C)',
    )
    .option(
      '--since <ref>',
      'with --all: run only in the stacks whose plans can differ from those of this branch or commit, as `sluice changed` lists them',
    );
}

function keepOldest(): Option {
  return new Option(
    '--keep-oldest',
    'if resources are duplicates, keep the one that is in the state, otherwise the oldest, and delete the others',
  );
}

function writing(command: CliCommand): CliCommand {
  return approving(command)
    .option('--events <file>', 'write apply events to this file as they happen, one JSON object per line')
    .addOption(lockTimeout())
    .addOption(allow());
}
