import { kinds } from '../kinds/index.ts';
import type { LoadOptions } from '../manifest/load.ts';
import type { OpenStack } from './open-stack.ts';

/** How the manifests of a stack are read, but for which of them. */
export function manifestOptions({
  dir,
  settings,
  stack,
  patches,
  env,
  credentials,
}: OpenStack): Omit<LoadOptions, 'inputs' | 'whole'> {
  return {
    dir,
    kinds,
    profile: stack.profile,
    patches,
    env,
    credentials,
    roots: settings.secrets.dirs,
    ...(settings.env_prefixes === undefined ? {} : { envPrefixes: settings.env_prefixes }),
    marker: stack.marker,
  };
}
