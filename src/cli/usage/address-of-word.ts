import { addressNamed } from '../../derive/address-named.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { kinds } from '../../kinds/index.ts';
import { splitAddress, type Address } from '../../model/address.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { kindNamed } from './kind-named.ts';

/** The address that a word of the command line means, with the name of its kind in full: `edge/shop` is `HTTPSEdge/shop`. */
export function addressOfWord(word: string): Address {
  if (!word.includes('/'))
    throw new UsageError(`${quoted(word, 200)} is not an address`, 'write Kind/name, as `sluice plan` prints it');
  const address = addressNamed(word, kinds);
  kindNamed(splitAddress(address).kind);
  return address;
}
