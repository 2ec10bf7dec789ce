import type { Command } from 'commander';
import { wholeNumber, examples, repeatable } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { AbuseReportFlags, WaitFlags } from './report-commands.ts';

/** The commands about abuse reports. */
export function addAbuseReportCommands(program: Command, start: Start): void {
  const reports = program
    .command('abuse-reports')
    .summary('report abusive URLs, and see what became of it')
    .description('Reports URLs suspected of abusive content. Only accounts that were granted access may.')
    .addHelpText('after', examples('sluice abuse-reports create https://bad.example.com/login --wait'));

  waiting(reports.command('create').argument('[urls...]', 'http or https URLs; - reads them from standard input'))
    .summary('report URLs')
    .description(
      'Reports URLs, checked and each once. A report is sent a single time: when its answer is lost, whether it was filed is unknown.',
    )
    .option('--file <path>', 'a file with one URL a line; # begins a comment; repeatable', repeatable)
    .option('--metadata <text>', 'what to keep with the report')
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

  waiting(reports.command('get').argument('<id>', 'a report'))
    .summary('show a report and what became of its hostnames')
    .description('Shows a report and what became of its hostnames.')
    .addHelpText('after', examples('sluice abuse-reports get abrp_2mJ9bXvEyDRgSLWvmEXDbCRgLDD --wait'))
    .action((id: string, flags: WaitFlags) =>
      start(async (context) => (await import('./report-commands.ts')).getReport(context, id, flags)),
    );
}

function waiting(command: Command): Command {
  return command
    .option('--wait', 'wait until every hostname is judged')
    .option('--timeout <seconds>', 'how long to wait at most', wholeNumber(604_800), 3600);
}
