import { InvalidArgumentError } from 'commander';
import { gatewayChoices, type GatewayOptions, type GatewayReading } from '../../../emulator/gateway/gateway-options.ts';
import { networkList } from '../../../emulator/gateway/modules/address-check.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { wholeNumber } from '../../arguments.ts';
import type { CliCommand } from '../../cli-command.ts';

/** The gateway of the emulator: its port, what IP policies permit, and how it behaves. */
export interface GatewayFlags extends Partial<GatewayReading> {
  readonly gateway?: number;
  readonly gatewayTls?: boolean;
  /** Networks by the id of the policy. */
  readonly ipPolicy?: Readonly<Record<string, readonly string[]>>;
}

const choiceNames = Object.keys(gatewayChoices) as (keyof typeof gatewayChoices)[];

/** Adds the flags of the gateway. */
export function addGatewayFlags(command: CliCommand): CliCommand {
  command
    .option(
      '--gateway <port>',
      'serve the edges of the account on this port, with simulated backends; 0 selects a free port',
      wholeNumber(65_535, 0),
    )
    .option('--gateway-tls', 'serve the gateway by HTTPS, with --tls-cert or a self-signed certificate')
    .option(
      '--ip-policy <id=networks>',
      'addresses and networks that the IP policy with this id permits; repeatable',
      permitting,
    );
  for (const name of choiceNames) {
    const { choices, help } = gatewayChoices[name];
    command.choice(`${flagOf(name)} <how>`, help, choices);
  }
  return command;
}

/** The port and options of the gateway; undefined where none is to run. */
export function gatewayOptions(
  flags: GatewayFlags,
): { readonly port: number; readonly options: GatewayOptions } | undefined {
  const { gateway: port, gatewayTls, ipPolicy } = flags;
  const chosen = choiceNames.filter((name) => flags[name] !== undefined);
  if (port === undefined) {
    const [first] = [
      ...(gatewayTls === undefined ? [] : ['--gateway-tls']),
      ...(ipPolicy === undefined ? [] : ['--ip-policy']),
      ...chosen.map(flagOf),
    ];
    if (first !== undefined)
      throw new UsageError(`${first} requires --gateway`, 'pass the port of the gateway with --gateway');
    return undefined;
  }
  const reading = Object.fromEntries(chosen.map((name) => [name, flags[name]])) as Partial<GatewayReading>;
  return { port, options: { ...reading, ...(ipPolicy === undefined ? {} : { permitted: ipPolicy }) } };
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

function permitting(text: string, before: GatewayFlags['ipPolicy'] = {}): NonNullable<GatewayFlags['ipPolicy']> {
  const at = text.indexOf('=');
  const [id, networks] = [text.slice(0, Math.max(0, at)), text.slice(at + 1).split(',')];
  try {
    networkList(networks);
  } catch {
    throw new InvalidArgumentError(
      'Each network must be an address such as 203.0.113.7, or a range such as 203.0.113.0/24.',
    );
  }
  if (id === '') throw new InvalidArgumentError('The value must be ID=NETWORKS, such as ipp_office=203.0.113.0/24.');
  return { ...before, [id]: [...((Object.hasOwn(before, id) ? before[id] : undefined) ?? []), ...networks] };
}
