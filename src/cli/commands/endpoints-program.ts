import type { Command } from 'commander';
import { examples, repeatable } from '../arguments.ts';
import type { Start } from '../program.ts';
import type { EndpointFilter } from './endpoints.ts';

/** The commands about active endpoints. */
export function addEndpointCommands(program: Command, start: Start): void {
  const endpoints = program
    .command('endpoints')
    .summary('list active endpoints, of edges and of agents')
    .description('Shows the endpoints that are active now, and which edge or agent serves them.')
    .addHelpText('after', examples('sluice endpoints list --type ephemeral'));

  endpoints
    .command('list')
    .summary('list active endpoints')
    .description('Lists the active endpoints: all, or those that every condition fits.')
    .option('--region <region>', 'in this region; repeatable', repeatable)
    .option('--proto <proto>', 'http, https, tcp or tls; repeatable', repeatable)
    .option('--type <type>', 'edge, or ephemeral for those that an agent serves by itself')
    .option(
      '--hostport <hostport>',
      "at this place; * stands for anything, as in '*.example.com:443'; repeatable",
      repeatable,
    )
    .addHelpText(
      'after',
      examples('sluice endpoints list', "sluice endpoints list --type edge --hostport '*.example.com:443'"),
    )
    .action((filter: EndpointFilter) =>
      start(async (context) => (await import('./endpoints.ts')).listEndpoints(context, filter)),
    );

  endpoints
    .command('get')
    .argument('<id>', 'an endpoint')
    .summary('show one endpoint')
    .description('Shows everything that the service tells of one endpoint.')
    .addHelpText('after', examples('sluice endpoints get ep_2mJ9bXvEyDRgSLWvmEXDbCRgLDD'))
    .action((id: string) => start(async (context) => (await import('./endpoints.ts')).getEndpoint(context, id)));
}
