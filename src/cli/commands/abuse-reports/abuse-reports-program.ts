import type { Command } from 'commander';
import { wholeNumber, examples, repeatable } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { AbuseReportFlags, WaitFlags } from './report-commands.ts';

/** The commands for abuse reports. */
export function addAbuseReportCommands(program: Command, start: Start): void {
  const reports = program
    .command('abuse-reports')
    .summary('report abusive URLs and show the results')
    .description('Report URLs suspected of abusive content. Requires an account that is authorized to do so.')
    .addHelpText('after', examples('sluice abuse-reports create https://bad.example.com/login --wait'));

  waiting(reports.command('create').argument('[urls...]', 'http or https URLs; - reads them from standard input'))
    .summary('report URLs with abusive content')
    .description(
      'Report URLs. URLs are validated and duplicates are removed. The request is sent only once: if its response is lost, it is unknown whether the report was filed.',
    )
    .option('--file <path>', 'file with one URL per line; # starts a comment; repeatable', repeatable)
    .option('--metadata <text>', 'metadata to store with the report')
    .addHelpText(
      'after',
      examples(
        'sluice abuse-reports create https://bad.example.com/login --wait',
        "sluice abuse-reports create --file urls.txt --metadata 'ticket 4711'",
      ),
    )
    .action((urls: readonly string[], flags: AbuseReportFlags) =>
      start(async (context) => (await import('./report-commands.ts')).createReport(context, urls, flags)),
    );

  waiting(reports.command('get').argument('<id>', 'id of an abuse report'))
    .summary('show an abuse report and the status of each of its hostnames')
    .description('Show an abuse report and the status of each of its hostnames.')
    .addHelpText('after', examples('sluice abuse-reports get abrp_2mJ9bXvEyDRgSLWvmEXDbCRgLDD --wait'))
    .action((id: string, flags: WaitFlags) =>
      start(async (context) => (await import('./report-commands.ts')).getReport(context, id, flags)),
    );
}

function waiting(command: Command): Command {
  return command
    .option('--wait', 'wait until every hostname is processed')
    .option('--timeout <seconds>', 'with --wait: maximum time to wait', wholeNumber(604_800), 3600);
}
