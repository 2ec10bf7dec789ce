import { isSecretAt, type OutputObject, type OutputValue } from '../../../derive/outputs.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Address } from '../../../model/address.ts';
import { suggestAddress } from '../../../stack/address-suggestion.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { isGroup } from './output-text.ts';

/** One resource of this stack with what it tells. */
export interface OutputText {
  readonly kind: Kind;
  readonly outputs: OutputObject;
}

/** The value that is asked for: addresses may hold dots, so the longest that fits is meant. */
export function outputAt(
  what: string,
  told: ReadonlyMap<Address, OutputText>,
): { readonly address: Address; readonly path: readonly string[]; readonly value: OutputValue } {
  const [address] = [...told.keys()]
    .filter((one) => what === one || what.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length);
  const found = address === undefined ? undefined : told.get(address);
  if (address === undefined || found === undefined)
    throw new UsageError(
      `this stack has no ${JSON.stringify(safeText(what, 200))}`,
      suggestAddress(what, told.keys()) ?? '`sluice output` shows what there is',
    );
  const path = what === address ? [] : what.slice(address.length + 1).split('.');
  if (isSecretAt(found.kind.fields, path))
    throw new Refused('SECRET_NOT_SHOWN', `${safeText(what, 200)} is a secret, and never shown`);
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
    `${safeText(what, 200)} is not set, or not there`,
    suggestAddress(name, known) ?? (known.length > 0 ? `there is: ${known.join(', ')}` : undefined),
  );
}
