import { Command, InvalidArgumentError, Option } from 'commander';
import { suggest } from '../diagnostics/suggest.ts';
import type { Hazard } from '../model/plan.ts';
import type { Context } from './context.ts';
import { logLevels } from './log-level.ts';
import type { EmulatorFlags } from './commands/emulator.ts';
import type { InitFlags } from './commands/init.ts';
import type { Io } from './io.ts';
import type { PlanFlags } from './commands/plan.ts';
import type { ApplyFlags } from './commands/apply.ts';
import type { StackFlags } from './stack-flags.ts';

/** Carries out a command once its context is made. */
export type Start = (command: (context: Context) => number | Promise<number>) => Promise<void>;

/** The command line: every command with its flags and help. What a command does is loaded when it is called. */
export function makeProgram(io: Io, version: string, start: Start): Command {
  const program = new Command('sluice')
    .description('Keeps edges, routes, addresses and the rest of a Tunnel Management API account as YAML in git.')
    .version(version, '-V, --version', 'print the version')
    .option('-C <dir>', 'look for the stack (sluice.yaml) from this directory upwards')
    .addOption(
      new Option('--format <format>', 'how to print the result').choices(['text', 'json', 'yaml']).default('text'),
    )
    .option('--no-color', 'no colour; NO_COLOR does the same')
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
    .addHelpText('after', examples('sluice validate', 'sluice validate -f manifests/shop.yaml'))
    .action((flags: StackFlags) =>
      start(async (context) => (await import('./commands/validate.ts')).validate(context, flags)),
    );

  reading(program.command('plan').summary('show what apply would do; writes nothing'))
    .description('Reads the manifests and the account, and shows what apply would do and why. Writes nothing.')
    .option('--detailed-exitcode', 'exit with 2 when there are changes')
    .option('--requests', 'list every request that apply would make')
    .option('--resend-secrets', 'write the secrets that cannot be verified')
    .option('--accept-missing', 'believe an account that half of the stack is gone from')
    .addHelpText(
      'after',
      examples('sluice plan', 'sluice plan --requests -l team=web', 'sluice plan --detailed-exitcode --format json'),
    )
    .action((flags: PlanFlags) => start(async (context) => (await import('./commands/plan.ts')).plan(context, flags)));

  writing(reading(program.command('apply').summary('make the account what the manifests say')))
    .description(
      'Plans, asks, and makes the account what the manifests say. Elsewhere than on a terminal it needs --auto-approve.',
    )
    .option('--resend-secrets', 'write the secrets that cannot be verified')
    .option('--accept-missing', 'believe an account that half of the stack is gone from')
    .addHelpText(
      'after',
      `${examples('sluice apply', 'sluice apply --auto-approve', 'sluice apply --auto-approve --allow OPENS_ACCESS')}

Exit codes: 0 done or nothing to do, 3 refused (nothing written), 6 applied in part.`,
    )
    .action((flags: ApplyFlags) =>
      start(async (context) => (await import('./commands/apply.ts')).apply(context, flags)),
    );

  writing(program.command('destroy').summary('delete everything of this stack'))
    .description(
      'Deletes everything that belongs to this stack. What is protected is a reason to delete nothing at all: give up protection by an applied change first.',
    )
    .option('--parallelism <n>', 'how many requests at once', count(256), 10)
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

  emulator(program.command('emulator')).action((flags: EmulatorFlags) =>
    start(async (context) => (await import('./commands/emulator.ts')).emulator(context, flags)),
  );
  return program;
}

/** Flags of commands that read manifests. */
function reading(command: Command): Command {
  return command
    .option(
      '-f, --file <path>',
      'manifests to read in place of those in sluice.yaml; - is standard input; repeatable',
      several,
    )
    .option('-l, --selector <selector>', 'only resources with these labels, such as team=web,tier!=test')
    .option('--target <address>', 'only this resource, such as Kind/name; repeatable', several)
    .option('--parallelism <n>', 'how many requests at once', count(256), 10);
}

/** Flags of commands that change the account. */
function writing(command: Command): Command {
  return command
    .option('--auto-approve', 'do not ask')
    .option('--allow <hazard>', 'go on in spite of a hazard that the policy blocks; repeatable', severalHazards);
}

function emulator(command: Command): Command {
  return command
    .summary('serve the whole API from memory, for work offline and for tests')
    .description(
      'Serves the whole API from memory. The base URL is the first line of the result; Ctrl-C ends it in good order.',
    )
    .option('--host <host>', 'where to listen', '127.0.0.1')
    .option('--port <port>', 'which port; 0 is any that is free', count(65_535, 0), 0)
    .option('--allow-remote', 'let --host be an address that other machines reach')
    .option('--data <file>', 'keep the account in this file')
    .option('--api-key <key>', 'the one key that passes; any does when left out')
    .option('--vendor <name>', 'makes the version header', 'example')
    .addOption(new Option('--profile <profile>', 'which operations and rules').choices(['completed', 'documented']))
    .option('--seed <text>', 'the same ids in every run')
    .addOption(
      new Option('--read-back <how>', 'answer as services do, or just as sent').choices(['service', 'as-sent']),
    )
    .addOption(new Option('--secrets <how>', 'how answers show secrets').choices(['clear', 'empty', 'masked']))
    .addOption(new Option('--cookie-prefix <text>', 'what an unset cookie prefix reads as').choices(['svc.', 'empty']))
    .option('--strict-refs', 'refuse ids of what the API does not manage, but for --external')
    .option('--external <id>', 'an id that exists all the same; repeatable', several)
    .addOption(new Option('--edge-endpoints <how>', 'whether endpoints show edges').choices(['shown', 'hidden']))
    .addOption(new Option('--next-page-uri <form>', 'how lists go on').choices(['absolute', 'path']))
    .option('--page-size <n>', 'entries on a page', count(100))
    .addOption(new Option('--list-order <order>', 'order of lists').choices(['newest', 'oldest', 'shuffled']))
    .addOption(new Option('--abuse-reports <how>', 'whether they may be filed').choices(['granted', 'refused']))
    .addHelpText(
      'after',
      examples(
        'sluice emulator --port 8080 --data account.json',
        'sluice emulator --profile documented --secrets masked',
      ),
    );
}

const hazards: readonly Hazard['code'][] = [
  'OPENS_ACCESS',
  'LOSES_ADDRESS',
  'INTERRUPTS_TRAFFIC',
  'REISSUES_CREDENTIAL',
  'ADOPTS_EXISTING',
  'MANY_DELETES',
];

function severalHazards(value: string, before: readonly string[] | undefined): readonly string[] {
  if (hazards.some((code) => code === value)) return several(value, before);
  const near = suggest(value, hazards);
  throw new InvalidArgumentError(near === undefined ? `Hazards: ${hazards.join(', ')}.` : `Did you mean ${near}?`);
}

function several(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function count(most: number, least = 1): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
