import type { CliCommand } from '../../cli-command.ts';
import { parallelism } from '../../arguments.ts';

/** The command that lists what can be reached by whom. */
export function addExposureCommand(program: CliCommand): void {
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
    .loads(async () => (await import('./exposure-command.ts')).exposure);
}
