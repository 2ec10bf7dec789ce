import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseRate, type Rate } from '../../../api/rate/rate.ts';
import { hostportSharingFlag } from '../../../emulator/behaviours/hostport-sharing.ts';
import { normalizations } from '../../../emulator/normalizations.ts';
import { wholeNumber, examples, repeatable } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { EmulatorFlags } from './emulator-command.ts';

/** The command that serves the emulator, with its flags: where it listens, what it keeps, how it differs, and what goes wrong. */
export function addEmulatorCommand(program: Command, start: Start): void {
  const { flags, says, choices } = hostportSharingFlag;
  program
    .command('emulator')
    .summary('serve the whole API from memory, for work offline and for tests')
    .description(
      'Serves the whole API from memory. The base URL is the first line of the result; Ctrl-C ends it in good order.',
    )
    .option('--host <host>', 'where to listen', '127.0.0.1')
    .option('--port <port>', 'which port; 0 is any that is free', wholeNumber(65_535, 0), 0)
    .option('--allow-remote', 'let --host be an address that other machines reach')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM; a chain begins with it)')
    .option('--tls-key <file>', 'the private key of --tls-cert (PEM)')
    .option('--data <file>', 'keep the account in this file')
    .option('--seed-file <file>', 'begin with the account in this file, which is only read')
    .option('--agents <n>', 'so many agents are online from the beginning', wholeNumber(10_000))
    .option('--api-key <key>', 'the one key that passes; any does when left out')
    .option('--vendor <name>', 'makes the version header', 'example')
    .addOption(new Option('--profile <profile>', 'which operations and rules').choices(['completed', 'documented']))
    .option('--seed <text>', 'the same ids in every run')
    .option('--clock <start>', 'time stands still at this moment, such as 2027-03-01T12:00:00Z, until moved', moment)
    .option('--rate-limit <rate>', 'answer 429 to more requests than that, such as 120/60s', rate)
    .option('--burst <n>', 'makes --rate-limit a token bucket that holds so many requests', wholeNumber(1_000_000))
    .option('--concurrency-limit <n>', 'answer 429 to what arrives while so many are in flight', wholeNumber(10_000))
    .option('--latency <ms>', 'every answer takes so long', wholeNumber(600_000))
    .option('--fault <spec>', 'mode[=detail]@address, such as reset-after@POST:*:1; repeatable', repeatable)
    .option('--log <file>', 'every request as a line of JSON; - is standard error')
    .addOption(
      new Option('--read-back <how>', 'answer as services do, or just as sent').choices(['service', 'as-sent']),
    )
    .addOption(
      new Option('--normalize <how>', 'how what was sent is rewritten (docs/emulator.md); repeatable')
        .choices(Object.keys(normalizations))
        .argParser((how, before: readonly string[] | undefined) => {
          if (how in normalizations) return repeatable(how, before);
          throw new InvalidArgumentError(`Allowed choices are ${Object.keys(normalizations).join(', ')}.`);
        }),
    )
    .addOption(new Option('--secrets <how>', 'how answers show secrets').choices(['clear', 'empty', 'masked']))
    .addOption(new Option('--cookie-prefix <text>', 'what an unset cookie prefix reads as').choices(['svc.', 'empty']))
    .option('--strict-refs', 'refuse ids of what the API does not manage, but for --external')
    .option('--external <id>', 'an id that exists all the same; repeatable', repeatable)
    .addOption(new Option(flags, says).choices(choices))
    .addOption(new Option('--edge-endpoints <how>', 'whether endpoints show edges').choices(['shown', 'hidden']))
    .addOption(new Option('--route-clears <how>', 'whether a text of a route is cleared').choices(['taken', 'ignored']))
    .addOption(new Option('--next-page-uri <form>', 'how lists go on').choices(['absolute', 'path']))
    .option('--page-size <n>', 'entries on a page', wholeNumber(100))
    .addOption(new Option('--list-order <order>', 'order of lists').choices(['newest', 'oldest', 'shuffled']))
    .addOption(new Option('--abuse-reports <how>', 'whether they may be filed').choices(['granted', 'refused']))
    .addHelpText(
      'after',
      `${examples(
        'sluice emulator --port 8080 --data account.json',
        'sluice emulator --profile documented --secrets masked',
        'sluice emulator --rate-limit 120/60s --fault status-before=503@2% --log requests.jsonl',
      )}

Agents, faults and time can be changed while it runs, below /_emulator/: see docs/emulator.md.`,
    )
    .action((given: EmulatorFlags) =>
      start(async (context) => (await import('./emulator-command.ts')).emulator(context, given)),
    );
}

function moment(text: string): Date {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError('It must be a time such as 2027-03-01T12:00:00Z.');
}

function rate(text: string): Rate {
  const read = parseRate(text);
  if (read === undefined) throw new InvalidArgumentError('It must be a rate such as 120/60s.');
  return read;
}
