import { Option } from 'commander';
import { UsageError } from '../../stack/usage-error.ts';
import { mostRuns } from '../../state/most-runs.ts';
import {
  acceptMissing,
  allow,
  approving,
  lockTimeout,
  parallelism,
  repeatable,
  selecting,
  wholeNumber,
} from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import { stopManaging } from '../usage/stop-managing.ts';
import type { ImportFlags } from './import/import-command.ts';

/** The commands about the manifests, the resources and the earlier runs of a stack. */
export function addStackCommands(program: CliCommand): void {
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
    .loads(async () => (await import('./get-command.ts')).get);

  program
    .command('schema')
    .summary('print the JSON Schema of manifests')
    .argument('[kind]', 'a kind, or sluice.yaml (default: all kinds)')
    .description('Print the JSON Schema of manifests, for editors and other tools.')
    .examples('sluice schema', 'sluice schema https-edge')
    .loads(async () => (await import('./schema-command.ts')).schema);

  program
    .command('init')
    .summary('create a stack in a directory')
    .description(
      'Create a stack: sluice.yaml with a random stack id, and a manifest to start from. The stack uses the emulator inside sluice until you set api.base_url. An existing file is never overwritten.',
    )
    .option('--name <name>', 'name of the stack (default: name of the directory)')
    .addOption(new Option('--empty', 'do not create a manifest').conflicts('example'))
    .option('--example', 'create the example company: every kind and module, 20 resources')
    .choice('--state <store>', 'where state and lock are kept', ['file', 'postgres', 's3'], 'file')
    .addOption(
      new Option('--new-id', 'replace the stack id in an existing sluice.yaml, for a copied stack').conflicts([
        'empty',
        'example',
        'name',
        'state',
      ]),
    )
    .examples('sluice init', 'sluice -C shop init', 'sluice -C company init --example', 'sluice init --new-id')
    .loads(async () => (await import('./init/init-command.ts')).init);

  program
    .command('explain')
    .summary('list the kinds, show the fields of a kind, or explain a code')
    .argument(
      '[kind, field or code]',
      'a kind, such as https-edge; a topic: External, ModuleSet, metadata, lifecycle, values or sluice.yaml; the dotted path of a field; or the code of a hazard, an error or a warning, such as OPENS_ACCESS',
    )
    .description(
      'Without an argument, list what can be explained. Otherwise show the fields of a kind: the type, limits and default of each field, and the effect of changing it; or what a code means, and what to do about it.',
    )
    .examples(
      'sluice explain',
      'sluice explain https-edge',
      'sluice explain https-edge.routes.oauth.provider',
      'sluice explain OPENS_ACCESS',
    )
    .loads(async () => (await import('./explain-command.ts')).explainKind);

  program
    .command('export')
    .summary('write live resources as manifests')
    .argument('[kinds...]', 'kinds such as https-edge, or single resources such as https-edge/ID (default: all)')
    .description(
      'Write live resources as manifests; the next plan adopts them without changes. Default values are omitted, and ids are replaced by names where possible. A secret is replaced by a reference to an environment variable; standard error lists these variables. Writes nothing to the service.',
    )
    .option('--out <dir>', 'write one file per resource to this directory instead of standard output')
    .option('--overwrite', 'with --out: overwrite existing files')
    .option('--all', 'export all discoverable resources in addition to the named ones')
    .option('--all-stacks', 'also export resources owned by other stacks; their manifests contain `lifecycle.adopt`')
    .addOption(parallelism())
    .examples(
      'sluice export',
      'sluice export https-edge',
      'sluice export --out manifests',
      'sluice export --all https-edge/ID',
    )
    .footer(`If the profile has no list operation for a kind, only resources in state and resources with active endpoints are
found. Pass other resources by id; add --all to export all other resources of the account as well.`)
    .loads(async () => (await import('./export/export-command.ts')).exportAccount);

  const convert = program
    .command('convert')
    .summary('write manifests from the state of another tool')
    .description('Write manifests from the state of another tool. Contacts no service.')
    .examples('terraform show -json | sluice convert terraform - --out manifests');

  convert
    .command('terraform')
    .summary('write manifests from a Terraform state or plan')
    .argument('<file>', 'the output of `terraform show -json`; - reads standard input')
    .description(
      'Write manifests from the output of `terraform show -json`; the next plan adopts the resources by id. sluice recognizes a resource type by the end of its name and ignores the provider prefix. Ids are replaced by names where possible. Secrets and sensitive values are replaced by references to environment variables; standard error lists these variables, and what could not be converted. Contacts no service.',
    )
    .option('--out <dir>', 'write one file per resource to this directory instead of standard output')
    .option('--overwrite', 'with --out: overwrite existing files')
    .option('--report <file>', 'write what could not be converted to this file, as Markdown')
    .examples(
      'terraform show -json > state.json',
      'sluice convert terraform state.json --out manifests --report report.md',
    )
    .loads(async () => (await import('./convert/convert-terraform-command.ts')).convertTerraformFile);

  program
    .command('exposure')
    .summary('list who can reach which URLs')
    .description(
      'List which URLs can be reached, by whom and by which route, public ones first. Without a flag, list the account as it is now. With --planned (a new plan) or --plan (a saved plan), list it as it will be after the plan, and who can reach a URL now where the plan changes that. `--format svg` draws a picture.',
    )
    .option('--planned', 'list the URLs as they would be after `sluice apply`')
    .option('--plan <file>', 'list the URLs as they would be after this saved plan is applied')
    .addOption(parallelism())
    .examples(
      'sluice exposure',
      'sluice exposure --planned --format markdown',
      'sluice exposure --plan plan.json --format svg > exposure.svg',
    )
    .loads(async () => (await import('./exposure/exposure-command.ts')).exposure);

  program
    .command('fmt')
    .summary('format the manifests')
    .argument('[paths...]', 'files and directories (default: sluice.yaml and its manifests); - formats standard input')
    .description(
      'Format YAML files: indentation, brackets, quotes and blank lines. Values, comments and the order of keys stay the same. Prints the names of the files that were rewritten. If one file does not parse, no file is written.',
    )
    .option('--check', 'write nothing; list the files that are not formatted, and exit with 2 if there are any')
    .examples('sluice fmt', 'sluice fmt --check', 'sluice fmt manifests/shop.yaml', 'sluice fmt -')
    .loads(async () => (await import('./fmt/fmt-command.ts')).fmt);

  program
    .command('history')
    .summary('list the latest runs that changed something')
    .argument('[run]', 'id of a run: show its changes and its plan')
    .description(
      'List the latest runs that had changes to make, newest first, with the time, user, commit, pipeline job and number of completed changes. The state store keeps at most 200 runs, each for at most 90 days. The records contain no secrets.',
    )
    .option('--limit <n>', 'maximum number of runs to list', wholeNumber(mostRuns), 20)
    .examples('sluice history', 'sluice history 3f9a01bc', 'sluice history --limit 1 --format json')
    .runs(async (context, run: string | undefined, flags: { readonly limit: number }) => {
      const { listHistory, showHistory } = await import('./history/history-command.ts');
      return run === undefined ? listHistory(context, flags.limit) : showHistory(context, run);
    });

  approving(program.command('import'))
    .summary('bring live resources under the control of the stack')
    .argument(
      '[address]',
      'address of the resource in the manifests, such as Kind/name; without an id, * matches any text',
    )
    .argument(
      '[id]',
      'id of the live resource (default: the one with the same unique value as the manifest, such as its hostport)',
    )
    .description(
      'Import live resources to addresses that the manifests define, like `lifecycle.adopt` but without editing the manifests. Without an id, sluice matches each resource of the manifests that it does not manage yet with the unmanaged live resource that has the same unique value, such as a hostport, a domain, a route match within its edge, or a CA certificate. Shows the matches and the required changes, asks for approval, and applies them.',
    )
    .option('--all', 'import every resource of the manifests that has a match')
    .option('-f, --file <path>', 'manifests to read instead of those in sluice.yaml; repeatable', repeatable)
    .option('--adopt-from <stack id>', 'stack that owned the resource before and has released it')
    .addOption(allow())
    .addOption(lockTimeout())
    .addOption(parallelism())
    .examples('sluice import Kind/name ID', "sluice import 'Kind/*'", 'sluice import --all')
    .footer(
      `To write manifests for live resources, run \`sluice export\`. To undo an import and keep the live resource, ${stopManaging}.`,
    )
    .runs(
      async (
        context,
        address: string | undefined,
        id: string | undefined,
        flags: ImportFlags & { readonly all?: boolean },
      ) => {
        if ((address === undefined) !== (flags.all === true))
          throw new UsageError(
            'import takes either an address or --all',
            'run `sluice import --all`, or pass an address',
          );
        if (address !== undefined && id !== undefined)
          return (await import('./import/import-command.ts')).importResource(context, address, id, flags);
        return (await import('./import/import-all-command.ts')).importAll(context, address ?? '*', flags);
      },
    );

  program
    .command('output')
    .summary('print ids, URLs and addresses for other programs')
    .argument('[what]', 'a resource such as Kind/name, or one of its fields, such as Kind/name.id (default: all)')
    .description(
      'Print the live output values of the resources of this stack: ids, public URLs, addresses and other values assigned by the service. Secrets are never printed.',
    )
    .option('--raw', 'print one value without formatting; a list is printed one item per line')
    .addOption(parallelism())
    .examples(
      'sluice output',
      'sluice output --format json',
      'sluice output Kind/name',
      'sluice output Kind/name.urls --raw',
    )
    .loads(async () => (await import('./output/output-command.ts')).output);

  program
    .command('trace')
    .summary('show which route takes a request, and what it requires')
    .argument('[method]', 'method of the request, such as GET')
    .argument('[url]', 'URL of the request, such as https://shop.example.com/admin')
    .description(
      'Show how a request is handled: which edge and route take it, what each module requires, and which backend it reaches. Without a flag, read the account as it is now. No request is sent to the edge.',
    )
    .option('--planned', 'trace in the account as it would be after `sluice apply`')
    .option('--plan <file>', 'trace in the account as it would be after this saved plan is applied')
    .option(
      '--expect <file>',
      'check the requests in this file against their expected answers; exit with 3 if any answer differs',
    )
    .option(
      '--log <file>',
      'count the requests of an access log (combined format or JSON lines) whose handling the plan would change; sends no requests',
    )
    .option('--host <host>', 'host of the requests in --log, if the lines of the log have none')
    .addOption(parallelism())
    .examples(
      'sluice trace GET https://shop.example.com/admin',
      'sluice trace GET https://shop.example.com/admin --planned',
      'sluice trace --expect requests.yaml --planned',
      'sluice trace --log access.log --host shop.example.com',
    )
    .footer(`Answers: passes (anyone can send the request), refused (a request that does not meet the listed requirements),
depends (on something that the API does not show, such as an IP policy), unreachable.`)
    .loads(async () => (await import('./trace/trace-command.ts')).trace);

  selecting(program.command('render'))
    .summary('print the manifests with patches, module sets and values applied')
    .description(
      'Print each resource as a separate manifest, as the next plan would use it: patches are applied, module sets and routes are expanded, and printable values of variables and files are filled in. Secrets and other values remain references. Does not contact the service.',
    )
    .option('--kind <kind>', 'only resources of this kind; repeatable', repeatable)
    .examples('sluice render', 'sluice render --kind routes', "sluice render --target 'edge/shop' --format json")
    .loads(async () => (await import('./render/render-command.ts')).render);

  approving(program.command('rollback'))
    .summary('apply the manifests of an earlier commit')
    .argument('<revision>', 'commit, tag or branch of the git repository of the stack')
    .description(
      'Plan with the manifests of an earlier commit (no checkout needed), ask for approval, and apply the plan. Hazards, policies and approvals are the same as for any apply. Protected resources are listed and not changed. Environment variables and files outside the repository have their current values.',
    )
    .option('--events <file>', 'write apply events to this file as they happen, one JSON object per line')
    .addOption(acceptMissing())
    .option('--allow-empty', 'allow the deletion of all resources of the stack if the manifests define no resources')
    .addOption(lockTimeout())
    .addOption(allow())
    .addOption(parallelism())
    .examples('sluice rollback HEAD~1', 'sluice rollback 3f9a01b --auto-approve')
    .footer(
      `\`sluice history\` lists the commits that were applied. Revert the commits in git as well: the next apply follows git.`,
    )
    .loads(async () => (await import('./rollback/rollback-command.ts')).rollback);
}
