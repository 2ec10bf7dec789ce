import { InvalidArgumentError } from 'commander';
import type { CliCommand } from '../../cli-command.ts';
import { parseRate, type Rate } from '../../../api/rate/rate.ts';
import { hostportSharingFlag } from '../../../emulator/behaviours/hostport-sharing.ts';
import { normalizations } from '../../../emulator/forms/normalizations.ts';
import { repeatable, repeatableChoice, wholeNumber } from '../../arguments.ts';
import { addGatewayFlags } from './gateway-flags.ts';

/** The command that serves the emulator, with flags for its address, its data, its behaviour and its faults. */
export function addEmulatorCommand(program: CliCommand): void {
  const { flags, help, choices } = hostportSharingFlag;
  const command = program
    .command('emulator')
    .summary('run an in-memory emulator of the API, for offline work and tests')
    .description(
      'Run an in-memory emulator of the whole API. The first line of the output is its base URL; with --gateway, the second is the URL of the gateway. Press Ctrl-C to stop it.',
    )
    .option('--host <host>', 'host to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 selects a free port', wholeNumber(65_535, 0), 0)
    .option('--allow-remote', 'allow a --host that other machines can reach')
    .option(
      '--tls-cert <file>',
      'serve HTTPS with this certificate (PEM; in a chain, the server certificate comes first)',
    )
    .option('--tls-key <file>', 'private key of the certificate in --tls-cert (PEM)')
    .option('--data <file>', 'load the account from this file if it exists, and save all changes to it')
    .option(
      '--seed-file <file>',
      'start with the account in this file if there is no --data file yet; this file is never changed',
    )
    .option('--agents <n>', 'number of agents that are online at the start', wholeNumber(10_000))
    .option('--api-key <key>', 'API key to accept (default: any key)')
    .option('--vendor <name>', 'vendor name in the header <vendor>-Version', 'example')
    .choice(
      '--profile <profile>',
      'API profile to serve: `documented` has the operations in the API description; `completed` also has operations that the description lacks',
      ['completed', 'documented'],
    )
    .option('--seed <text>', 'seed of the generated ids: with the same text, each run generates the same ids')
    .option('--clock <start>', 'freeze the clock at this time, such as 2027-03-01T12:00:00Z', moment)
    .option('--rate-limit <rate>', 'return 429 above this request rate, such as 120/60s', rate)
    .option(
      '--burst <n>',
      'with --rate-limit: allow bursts of this many requests (size of a token bucket)',
      wholeNumber(1_000_000),
    )
    .option('--concurrency-limit <n>', 'return 429 above this number of concurrent requests', wholeNumber(10_000))
    .option('--latency <ms>', 'delay every response by this number of milliseconds', wholeNumber(600_000))
    .option(
      '--fault <spec>',
      'inject a fault: mode[=detail]@requests, such as reset-after@POST:*:1 (see docs/emulator.md); repeatable',
      repeatable,
    )
    .option('--log <file>', 'file for a log of all requests, one JSON object per line; - is standard error')
    .choice(
      '--read-back <how>',
      'whether responses contain normalized values, as real services return them, or the values exactly as sent',
      ['service', 'as-sent'],
    )
    .addOption(
      repeatableChoice(
        '--normalize <how>',
        'how the emulator changes written values, as services do (see docs/emulator.md); repeatable',
        Object.keys(normalizations),
      ),
    )
    .choice('--secrets <how>', 'whether responses contain secrets in clear text, masked, or as empty strings', [
      'clear',
      'empty',
      'masked',
    ])
    .choice(
      '--cookie-prefix <text>',
      'what responses contain for a cookie prefix that no request has set: `svc.` or an empty string',
      ['svc.', 'empty'],
    )
    .option('--strict-refs', 'reject ids of objects that the API does not manage, except ids passed with --external')
    .option(
      '--external <id>',
      'with --strict-refs: accept this id of an object that the API does not manage; repeatable',
      repeatable,
    )
    .choice(flags, help, choices)
    .choice('--edge-endpoints <how>', 'whether lists of endpoints contain endpoints of edges', ['shown', 'hidden'])
    .choice(
      '--empty-route-fields <how>',
      'what an update of a route with an empty `description` or `metadata` does to that field',
      ['cleared', 'kept'],
    )
    .choice('--next-page-uri <form>', 'form of `next_page_uri` in lists: absolute URL or path', ['absolute', 'path'])
    .option('--page-size <n>', 'number of items on one page of a list', wholeNumber(100))
    .choice('--list-order <order>', 'order of the items in lists: newest first, oldest first, or shuffled', [
      'newest',
      'oldest',
      'shuffled',
    ])
    .choice('--abuse-reports <how>', 'whether the account is authorized to file abuse reports', ['granted', 'refused']);
  addGatewayFlags(command)
    .examples(
      'sluice emulator --port 8080 --data account.json',
      'sluice emulator --profile documented --secrets masked',
      'sluice emulator --port 8080 --gateway 8081 --ip-policy ipp_office=203.0.113.0/24',
      'sluice emulator --rate-limit 120/60s --fault status-before=503@2% --log requests.jsonl',
    )
    .footer(
      `You can change agents, faults and time while the emulator runs, through /_emulator/: see docs/emulator.md.`,
    )
    .loads(async () => (await import('./emulator-command.ts')).emulator);
}

function moment(text: string): Date {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError('The value must be a time, such as 2027-03-01T12:00:00Z.');
}

function rate(text: string): Rate {
  const read = parseRate(text);
  if (read === undefined) throw new InvalidArgumentError('The value must be a request rate, such as 120/60s.');
  return read;
}
