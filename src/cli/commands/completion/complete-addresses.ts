import { loadManifests } from '../../../manifest/load.ts';
import { manifestOptions } from '../../../stack/settings/manifest-options.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';

// Shells expand the words that they complete, so that others could run commands.
const harmless = /^[\w./:-]+$/;

/** Prints the addresses in the manifests for completion, one a line. */
export async function completeAddresses(context: Context): Promise<number> {
  const open = await readStackConfig(context);
  const { resources } = await loadManifests({ ...manifestOptions(open), inputs: open.settings.manifests, whole: true });
  const addresses = resources.map(({ address }) => address).filter((address) => harmless.test(address));
  context.io.out(addresses.map((address) => `${address}\n`).join(''));
  return exitCodes.done;
}
