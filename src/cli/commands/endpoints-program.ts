import { Option, type Command } from 'commander';
import { examples, repeatable, repeatableChoice } from '../arguments.ts';
import type { Start } from '../program.ts';
import type { EndpointFilter } from './endpoints-command.ts';

/** The commands about active endpoints. */
export function addEndpointCommands(program: Command, start: Start): void {
  const endpoints = program
    .command('endpoints')
    .summary('list active endpoints of edges and agents')
    .description('Show active endpoints and the edge or agent that serves each.')
    .addHelpText('after', examples('sluice endpoints list --type ephemeral'));

  endpoints
    .command('list')
    .summary('list active endpoints')
    .description('List active endpoints. If several filters are given, an endpoint must match all of them.')
    .option('--region <region>', 'filter by the region of the endpoint; repeatable', repeatable)
    .addOption(
      repeatableChoice('--proto <proto>', 'filter by the protocol of the endpoint; repeatable', [
        'http',
        'https',
        'tcp',
        'tls',
      ]),
    )
    .addOption(
      new Option(
        '--type <type>',
        'filter by type: `edge` (served by an edge) or `ephemeral` (served by an agent without an edge)',
      ).choices(['edge', 'ephemeral']),
    )
    .option(
      '--hostport <hostport>',
      "filter by hostport; * matches any text, as in '*.example.com:443'; repeatable",
      repeatable,
    )
    .addHelpText(
      'after',
      examples('sluice endpoints list', "sluice endpoints list --type edge --hostport '*.example.com:443'"),
    )
    .action((filter: EndpointFilter) =>
      start(async (context) => (await import('./endpoints-command.ts')).listEndpoints(context, filter)),
    );

  endpoints
    .command('get')
    .argument('<id>', 'id of an endpoint')
    .summary('show one endpoint')
    .description('Show all fields of one endpoint.')
    .addHelpText('after', examples('sluice endpoints get ep_2mJ9bXvEyDRgSLWvmEXDbCRgLDD'))
    .action((id: string) =>
      start(async (context) => (await import('./endpoints-command.ts')).getEndpoint(context, id)),
    );
}
