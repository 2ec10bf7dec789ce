import type { CliCommand } from '../cli-command.ts';
import { repeatable, repeatableChoice } from '../arguments.ts';

/** The commands about active endpoints. */
export function addEndpointCommands(program: CliCommand): void {
  const endpoints = program
    .command('endpoints')
    .summary('list active endpoints of edges and agents')
    .description('Show active endpoints and the edge or agent that serves each.')
    .examples('sluice endpoints list --type ephemeral');

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
    .choice(
      '--type <type>',
      'filter by type: `edge` (served by an edge) or `ephemeral` (served by an agent without an edge)',
      ['edge', 'ephemeral'],
    )
    .option(
      '--hostport <hostport>',
      "filter by hostport; * matches any text, as in '*.example.com:443'; repeatable",
      repeatable,
    )
    .examples('sluice endpoints list', "sluice endpoints list --type edge --hostport '*.example.com:443'")
    .loads(async () => (await import('./endpoints-command.ts')).listEndpoints);

  endpoints
    .command('get')
    .argument('<id>', 'id of an endpoint')
    .summary('show one endpoint')
    .description('Show all fields of one endpoint.')
    .examples('sluice endpoints get ep_2mJ9bXvEyDRgSLWvmEXDbCRgLDD')
    .loads(async () => (await import('./endpoints-command.ts')).getEndpoint);
}
