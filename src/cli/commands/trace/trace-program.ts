import type { CliCommand } from '../../cli-command.ts';
import { parallelism } from '../../arguments.ts';

/** The command that shows what becomes of a request. */
export function addTraceCommand(program: CliCommand): void {
  program
    .command('trace')
    .summary('show which route handles a request, and what the route requires')
    .argument('[method]', 'method of the request, such as GET')
    .argument('[url]', 'URL of the request, such as https://shop.example.com/admin')
    .description(
      'Show how a request is handled: which edge and route handle it, what each module requires, and which backend it reaches. Without a flag, read the account as it is now. No request is sent to the edge.',
    )
    .option('--planned', 'trace the request in the account as it would be after `sluice apply`')
    .option('--plan <file>', 'trace the request in the account as it would be after this saved plan is applied')
    .option(
      '--expect <file>',
      'check the requests in this file against their expected answers; exit with 3 if any answer differs',
    )
    .option(
      '--log <file>',
      'count the requests of an access log (combined format or JSON lines) whose handling the plan would change; sends no requests',
    )
    .option('--host <host>', 'with --log: host of the requests, if the lines of the log contain no host')
    .addOption(parallelism())
    .examples(
      'sluice trace GET https://shop.example.com/admin',
      'sluice trace GET https://shop.example.com/admin --planned',
      'sluice trace --expect requests.yaml --planned',
      'sluice trace --log access.log --host shop.example.com',
    )
    .footer(`Answers: passes (anyone can send the request), refused (a request that does not meet the listed requirements),
depends (on something that the API does not show, such as an IP policy), unreachable.`)
    .loads(async () => (await import('./trace-command.ts')).trace);
}
