import { isSecretAt, type OutputObject, type OutputValue } from '../../../derive/wire/outputs.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Address } from '../../../model/address.ts';
import { suggestAddress } from '../../../stack/address-suggestion.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { isGroup } from './output-text.ts';

/** One resource of this stack with its outputs. */
export interface OutputText {
  readonly kind: Kind;
  readonly outputs: OutputObject;
}

/** Finds an output by address and path. Addresses can contain dots, so the longest match is used. */
export function outputAt(
  what: string,
  resources: ReadonlyMap<Address, OutputText>,
): { readonly address: Address; readonly path: readonly string[]; readonly value: OutputValue } {
  const [address] = [...resources.keys()]
    .filter((one) => what === one || what.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length);
  const found = address === undefined ? undefined : resources.get(address);
  if (address === undefined || found === undefined)
    throw new UsageError(
      `output ${quoted(what, 200)} not found in this stack`,
      suggestAddress(what, resources.keys()) ?? 'run `sluice output` to list all outputs',
    );
  const path = what === address ? [] : what.slice(address.length + 1).split('.');
  if (isSecretAt(found.kind.fields, path))
    throw new Refused('SECRET_NOT_SHOWN', `${safeText(what, 200)} is a secret and is never printed`);
  let value: OutputValue = found.outputs;
  for (const name of path) {
    if (!isGroup(value) || value[name] === undefined) throw notThere(what, name, value);
    value = value[name];
  }
  return { address, path, value };
}

function notThere(what: string, name: string, value: OutputValue): UsageError {
  const known = isGroup(value) ? Object.keys(value) : [];
  return new UsageError(
    `the field ${safeText(what, 200)} is not set or does not exist`,
    suggestAddress(name, known) ?? (known.length > 0 ? `use one of: ${known.join(', ')}` : undefined),
  );
}
