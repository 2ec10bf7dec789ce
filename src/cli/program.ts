import { Command, Option } from 'commander';
import type { Context, GlobalFlags } from './context.ts';
import { logLevels } from '../diagnostics/log.ts';
import type { InitFlags } from './commands/init.ts';
import type { Io } from './io.ts';
import type { PlanFlags } from './commands/plan.ts';
import type { ShowFlags } from './commands/show.ts';
import type { ValidateFlags } from './commands/validate.ts';
import type { ApplyFlags } from './commands/apply.ts';
import type { ApplySavedFlags } from './commands/apply-saved.ts';
import { allow, wholeNumber, examples, lockTimeout, parallelism, repeatable, repeatableHazards } from './arguments.ts';
import { addAbuseReportCommands } from './commands/abuse-reports/abuse-reports-program.ts';
import { addCompletionCommand } from './commands/completion/completion-program.ts';
import { addEmulatorCommand } from './commands/emulator/emulator-program.ts';
import { addEndpointCommands } from './commands/endpoints-program.ts';
import { addExplainCommand } from './commands/explain-program.ts';
import { addExportCommand } from './commands/export/export-program.ts';
import { addImportCommand } from './commands/import-program.ts';
import { addOutputCommand } from './commands/output/output-program.ts';
import { addSessionCommands } from './commands/sessions/sessions-program.ts';
import { addStateCommands } from './commands/state/state-program.ts';
import { addWatchCommands } from './commands/watch/watch-program.ts';

/** Carries out a command once its context is made. */
export type Start = (command: (context: Context) => number | Promise<number>) => Promise<void>;

/** The command line: every command with its flags and help. What a command does is loaded when it is called. */
export function makeProgram(io: Io, version: string, start: Start): Command {
  const program = new Command('sluice')
    .description('Keeps edges, routes, addresses and the rest of a Tunnel Management API account as YAML in git.')
    // --version alone is main's matter: further on in a line it is a condition on agents.
    .version(version, '-V', 'print the version; also --version')
    .option('-C <dir>', 'look for the stack (sluice.yaml) from this directory upwards')
    .addOption(
      new Option('--format <format>', 'how to print the result')
        .choices(['text', 'json', 'yaml', 'markdown', 'sarif'])
        .default('text'),
    )
    .option('--no-color', 'no colour; NO_COLOR does the same')
    .option('--proxy <url>', 'reach the service through this HTTP proxy; also SLUICE_PROXY, HTTPS_PROXY')
    .option('--ca-file <file>', 'also trust the certificate authorities in this PEM file; also SLUICE_CA_FILE')
    .addOption(
      new Option('--log-level <level>', 'how much to tell beside the result; also SLUICE_LOG').choices(logLevels),
    )
    .helpCommand('help [command]', 'explain a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => (io.terminal.out ? (io.terminal.columns ?? 80) : 100),
      getErrHelpWidth: () => 100,
    })
    .exitOverride()
    .hook('preAction', (main, command) => mustOffer(main.opts<GlobalFlags>().format, command))
    .addHelpText(
      'after',
      `
Begin with \`sluice init\`. Then \`validate\`, \`plan\`, \`apply\`.

The API key comes from SLUICE_API_KEY, from the file SLUICE_API_KEY_FILE names, or from \`api.key\` in
sluice.yaml; never from an argument. SLUICE_BASE_URL and SLUICE_VENDOR win over sluice.yaml.

Exit codes: 0 done, 1 failed, 2 changes pending, 3 refused, 4 plan is stale, 5 lock held,
6 applied in part, 7 not allowed, 8 invalid input or usage, 130 interrupted.`,
    );

  reading(program.command('validate').summary('check the manifests, without the service'))
    .description('Checks the manifests of the stack without speaking to the service. All problems at once.')
    .option('--github-annotations', 'show what is wrong on the lines of a pull request')
    .addHelpText(
      'after',
      examples('sluice validate', 'sluice validate -f manifests/shop.yaml', 'sluice validate --format sarif'),
    )
    .action((flags: ValidateFlags) =>
      start(async (context) => (await import('./commands/validate.ts')).validate(context, flags)),
    );

  deciding(commenting(reading(program.command('plan').summary('show what apply would do; writes nothing'))))
    .description('Reads the manifests and the account, and shows what apply would do and why. Writes nothing.')
    .option('--detailed-exitcode', 'exit with 2 when there are changes')
    .option('--requests', 'list every request that apply would make')
    .option(
      '--verify',
      'carry the plan out on a copy of the account, and exit with 1 unless nothing is left to do there',
    )
    .option(
      '--allow <hazard>',
      'a hazard that the policy blocks and that is meant; a saved plan keeps it; repeatable',
      repeatableHazards,
    )
    .option('--out <file>', 'save the plan, for `sluice apply <file>`; no secret is in it')
    .option('--github-summary', 'add the plan to the page of a GitHub Actions run')
    .option('--github-annotations', 'show hazards, warnings and errors on the lines of a pull request')
    .option('--gitlab-report <file>', 'write the numbers that GitLab shows on a merge request')
    .addHelpText(
      'after',
      examples('sluice plan', 'sluice plan --requests -l team=web', 'sluice plan --detailed-exitcode --format json'),
    )
    .action((flags: PlanFlags) => start(async (context) => (await import('./commands/plan.ts')).plan(context, flags)));

  deciding(commenting(writing(reading(program.command('apply').summary('make the account what the manifests say')))))
    .argument('[plan]', 'a plan that `sluice plan --out` has saved: carried out only if it is still the plan')
    .option('--digest <digest>', 'the digest of the saved plan as it was approved')
    .description(
      'Plans, asks, and makes the account what the manifests say. Elsewhere than on a terminal it needs --auto-approve.',
    )
    .addHelpText(
      'after',
      `${examples('sluice apply', 'sluice apply --auto-approve', 'sluice apply --auto-approve --allow OPENS_ACCESS')}

Exit codes: 0 done or nothing to do, 3 refused (nothing written), 6 applied in part.`,
    )
    .action((saved: string | undefined, flags: ApplyFlags & ApplySavedFlags) =>
      start(async (context) =>
        saved === undefined
          ? (await import('./commands/apply.ts')).apply(context, flags)
          : (await import('./commands/apply-saved.ts')).applySaved(context, saved, flags),
      ),
    );

  commenting(program.command('show'))
    .summary('show a saved plan')
    .argument('<plan>', 'a file written by `sluice plan --out`')
    .description('Shows a saved plan as it was when it was made, with the digest to approve it by.')
    .option('--requests', 'list every request that apply would make')
    .addHelpText('after', examples('sluice show plan.bin', 'sluice show plan.bin --format json'))
    .action((file: string, flags: ShowFlags) =>
      start(async (context) => (await import('./commands/show.ts')).show(context, file, flags)),
    );

  commenting(writing(program.command('destroy').summary('delete everything of this stack')))
    .description(
      'Deletes everything that belongs to this stack. What is protected is a reason to delete nothing at all: give up protection by an applied change first.',
    )
    .addOption(parallelism())
    .addOption(keepOldest())
    .addHelpText(
      'after',
      `${examples('sluice destroy', 'sluice destroy --auto-approve')}

Exit codes: 0 done, 3 refused because something is protected (nothing written), 6 done in part.`,
    )
    .action((flags: ApplyFlags) =>
      start(async (context) => (await import('./commands/destroy.ts')).destroy(context, flags)),
    );

  program
    .command('get')
    .summary('show live resources')
    .argument('<kind>', 'such as https-edge; upper and lower case, hyphens and underscores do not matter')
    .argument('[name]', "a resource's name in this stack, or its id")
    .description("Shows live resources of a kind, this stack's and others. Secrets are masked.")
    .addOption(new Option('-o, --output <form>', 'table, or the whole of it').choices(['table', 'yaml', 'json']))
    .addHelpText('after', examples('sluice get https-edge', 'sluice get reserved-addr mqtt-eu -o yaml'))
    .action((kind: string, name: string | undefined, flags: { output?: 'table' | 'yaml' | 'json' }) =>
      start(async (context) => (await import('./commands/get.ts')).get(context, kind, name, flags.output)),
    );

  program
    .command('schema')
    .summary('print the JSON Schema of manifests')
    .argument('[kind]', 'one kind; all of them when left out')
    .description('Prints the JSON Schema of manifests, for editors and other tools.')
    .addHelpText('after', examples('sluice schema', 'sluice schema https-edge'))
    .action((kind: string | undefined) =>
      start(async (context) => (await import('./commands/schema.ts')).schema(context, kind)),
    );

  program
    .command('init')
    .summary('make a directory a stack')
    .description('Writes a sluice.yaml with a random id. An existing one is never overwritten.')
    .option('--name <name>', 'what the stack is called; the name of the directory when left out')
    .option('--new-id', 'only give the existing sluice.yaml a new id, for a stack that was copied')
    .addHelpText('after', examples('sluice init', 'sluice init --name shop', 'sluice -C copy-of-shop init --new-id'))
    .action((flags: InitFlags) => start(async (context) => (await import('./commands/init.ts')).init(context, flags)));

  addExplainCommand(program, start);
  addExportCommand(program, start);
  addImportCommand(program, start);
  addOutputCommand(program, start);
  addWatchCommands(program, start);
  addSessionCommands(program, start);
  addEndpointCommands(program, start);
  addStateCommands(program, start);
  addAbuseReportCommands(program, start);

  addEmulatorCommand(program, start);
  addCompletionCommand(program, start);
  return program;
}

/** Flags of commands whose result may be told in a comment. */
function commenting(command: Command): Command {
  return command
    .addOption(
      new Option('--platform <platform>', 'whose comments --format markdown is for; found out in a pipeline').choices([
        'github',
        'gitlab',
        'gitea',
        'bitbucket',
      ]),
    )
    .option(
      '--max-bytes <n>',
      'the most bytes of --format markdown; what the platform takes when left out',
      wholeNumber(9_999_999, 2048),
    );
}

/** Some formats are for some commands. */
function mustOffer(format: GlobalFlags['format'], command: Command): void {
  const only = { markdown: ['plan', 'show', 'apply', 'destroy'], sarif: ['validate'] };
  if (format !== 'markdown' && format !== 'sarif') return;
  if (!only[format].includes(command.name()))
    command.error(
      `error: --format ${format} is for ${only[format].join(', ')}; ${command.name()} has text, json and yaml`,
    );
}

/** Flags of commands that read manifests. */
function reading(command: Command): Command {
  return command
    .option(
      '-f, --file <path>',
      'manifests to read in place of those in sluice.yaml; - is standard input; repeatable',
      repeatable,
    )
    .option('-l, --selector <selector>', 'only resources with these labels, such as team=web,tier!=test')
    .option('--target <address>', 'only this resource, such as Kind/name; repeatable', repeatable)
    .addOption(parallelism());
}

/** Flags of commands that find out what is to change: what is believed in spite of appearances. */
function deciding(command: Command): Command {
  return command
    .option('--resend-secrets', 'write the secrets that cannot be verified')
    .option('--require-verified-secrets', 'exit 3 where a secret cannot be verified')
    .option('--accept-missing', 'believe an account that half of the stack is gone from')
    .addOption(keepOldest())
    .option('--rename-from <name>', 'the name that this stack had before: what carries it stays ours')
    .option('--allow-empty', 'delete everything where the manifests describe nothing');
}

function keepOldest(): Option {
  return new Option(
    '--keep-oldest',
    'keep one of each set of duplicates, that of state or else the oldest; delete the others',
  );
}

/** Flags of commands that change the account. */
function writing(command: Command): Command {
  return command
    .option('--auto-approve', 'do not ask')
    .option('--events <file>', 'write what happens as it happens to this file, as lines of JSON')
    .addOption(lockTimeout())
    .addOption(allow());
}
