import { addressNamed } from '../../../derive/address-named.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { kinds } from '../../../kinds/index.ts';
import { entryJson, stateJson, stateTable } from '../../../render/resources/state-text.ts';
import { yamlText } from '../../../render/text/yaml-text.ts';
import { inNaturalOrder } from '../../../model/natural-order.ts';
import type { Entry, State } from '../../../model/state.ts';
import type { Context } from '../../context.ts';
import { suggestAddress, UsageError } from '../../../stack/usage-error.ts';
import { withState } from '../../with-workspace.ts';

/** How state is printed. */
interface OutputFlags {
  readonly output?: 'table' | 'yaml' | 'json';
}

/** Lists the resources in the state. */
export async function listState(context: Context, { output = 'table' }: OutputFlags): Promise<number> {
  return withState(context, { command: 'state list', writes: false }, ({ state }) =>
    print(context, output, stateJson(state), () => stateTable(state, context.palette)),
  );
}

/** Shows the state of one resource, or of all. */
export async function showState(
  context: Context,
  word: string | undefined,
  { output = 'yaml' }: OutputFlags,
): Promise<number> {
  return withState(context, { command: 'state show', writes: false }, ({ state }) => {
    const address = word === undefined ? undefined : addressNamed(word, kinds);
    const addresses = address === undefined ? Object.keys(state.entries).sort(inNaturalOrder) : [address];
    const resources = addresses.map((one) => entryJson(one, entryInState(state, one)));
    const value =
      address === undefined ? { ...stateJson(state), resources } : { format_version: '1.0', ...resources[0] };
    return print(context, output, value, () => yamlText(value));
  });
}

function print(context: Context, output: OutputFlags['output'], value: unknown, text: () => string): number {
  return context.result(
    () => (output === 'yaml' ? yamlText(value) : text()),
    () => value,
  );
}

/** The state entry of an address; throws if there is none. */
export function entryInState({ entries }: State, address: string): Entry {
  const entry = Object.hasOwn(entries, address) ? entries[address] : undefined;
  if (entry !== undefined) return entry;
  throw new UsageError(
    `${quoted(address, 200)} is not in the state`,
    suggestAddress(address, Object.keys(entries)) ?? 'run `sluice state list` to list all addresses',
  );
}
