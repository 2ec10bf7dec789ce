import type { Command } from 'commander';
import type { Format } from '../../render/formats/format.ts';
import { formats, type FormatName } from '../../render/formats/formats.ts';
import { fullName } from '../cli-command.ts';

// What commands show that formats may render in a way of their own, by command.
const results: Readonly<Record<string, 'plan' | 'outcome' | 'validation' | 'exposure'>> = {
  plan: 'plan',
  show: 'plan',
  apply: 'outcome',
  destroy: 'outcome',
  validate: 'validation',
  exposure: 'exposure',
};

/** Refuses a format that does not render the result of the command. */
export async function requireOffered(name: FormatName, command: Command): Promise<void> {
  const format = await formats[name]();
  const path = fullName(command).replace(/^sluice /, '');
  if (renders(format, path)) return;
  const all = await Promise.all(
    Object.entries(formats).map(async ([other, load]) => ({ other, format: await load() })),
  );
  const offered = all.filter((one) => renders(one.format, path)).map(({ other }) => other);
  const commands = Object.keys(results).filter((one) => renders(format, one));
  command.error(
    `error: --format ${name} is available for ${commands.join(', ')}; ${path} supports ${offered.join(', ')}`,
  );
}

function renders(format: Format, command: string): boolean {
  const result = results[command];
  return format.result !== undefined || (result !== undefined && format[result] !== undefined);
}
