import type { CliCommand } from '../../cli-command.ts';
import { wholeNumber, repeatable } from '../../arguments.ts';

/** The commands for abuse reports. */
export function addAbuseReportCommands(program: CliCommand): void {
  const reports = program
    .command('abuse-reports')
    .summary('report abusive URLs and show the results')
    .description('Report URLs suspected of abusive content. Requires an account that is authorized to do so.')
    .examples('sluice abuse-reports create https://bad.example.com/login --wait');

  waiting(reports.command('create').argument('[urls...]', 'http or https URLs; - reads them from standard input'))
    .summary('report URLs with abusive content')
    .description(
      'Report URLs. URLs are validated and duplicates are removed. The request is sent only once: if its response is lost, it is unknown whether the report was filed.',
    )
    .option('--file <path>', 'file with one URL per line; # starts a comment; repeatable', repeatable)
    .option('--metadata <text>', 'metadata to store with the report')
    .examples(
      'sluice abuse-reports create https://bad.example.com/login --wait',
      "sluice abuse-reports create --file urls.txt --metadata 'ticket 4711'",
    )
    .loads(async () => (await import('./report-commands.ts')).createReport);

  waiting(reports.command('get').argument('<id>', 'id of an abuse report'))
    .summary('show an abuse report and the status of each of its hostnames')
    .description('Show an abuse report and the status of each of its hostnames.')
    .examples('sluice abuse-reports get abrp_2mJ9bXvEyDRgSLWvmEXDbCRgLDD --wait')
    .loads(async () => (await import('./report-commands.ts')).getReport);
}

function waiting(command: CliCommand): CliCommand {
  return command
    .option('--wait', 'wait until every hostname is processed')
    .option('--timeout <seconds>', 'with --wait: maximum time to wait', wholeNumber(604_800), 3600);
}
