import { join, resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { loadManifests } from '../../manifest/load.ts';
import { readStackFile, stackFileName } from '../../manifest/stack-file/stack-file.ts';
import type { Address } from '../../model/address.ts';
import { manifestOptions } from '../settings/manifest-options.ts';
import { stackVariables } from '../settings/stack-variables.ts';

/** What the files of a stack say, without the environment and the account. */
export interface StackManifests {
  /** The addresses of its manifests; undefined where these are invalid, so that some may be missing. */
  readonly addresses: ReadonlySet<Address> | undefined;
  /** The directories of the stacks whose outputs it takes. */
  readonly upstream: readonly string[];
}

/** The directories of the stacks whose outputs the manifests of a stack take; it is planned and applied after them. */
export async function upstreamStacks(dir: string): Promise<readonly string[]> {
  return (await stackManifests(dir)).upstream;
}

/** Reads the manifests of a stack. */
export async function stackManifests(dir: string): Promise<StackManifests> {
  const { file, diagnostics } = readStackFile(join(dir, stackFileName));
  if (file === undefined || hasErrors(diagnostics)) return { addresses: undefined, upstream: [] };
  const { settings, patches } = file;
  const upstream = new Set<string>();
  try {
    const desired = await loadManifests({
      ...manifestOptions({
        dir,
        settings,
        stack: { ...settings.stack, profile: settings.api.profile, marker: settings.marker },
        patches,
        env: {},
        variables: stackVariables(file, { io: { env: {} }, flags: {} }, none),
        credentials: none,
        findStack: (path) => {
          upstream.add(resolve(dir, path));
          return { owner: '' };
        },
      }),
      inputs: settings.manifests,
      whole: true,
      missingValues: 'ignore',
    });
    const isWhole = !hasErrors(desired.diagnostics);
    const addresses = isWhole ? new Set(desired.resources.map(({ address }) => address)) : undefined;
    return { addresses, upstream: [...upstream] };
  } catch (error) {
    if (error instanceof InvalidInput) return { addresses: undefined, upstream: [] };
    throw error;
  }
}

const none = { apiKeys: [], others: [] };
