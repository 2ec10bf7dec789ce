import { kinds } from '../../kinds/index.ts';
import type { LoadOptions } from '../../manifest/load.ts';
import type { StackConfig } from './stack-config.ts';

/** How the manifests of a stack are read, but for which of them. */
export function manifestOptions({
  dir,
  settings,
  stack,
  patches,
  env,
  variables,
  credentials,
  findStack,
}: Pick<
  StackConfig,
  'dir' | 'settings' | 'stack' | 'patches' | 'env' | 'variables' | 'credentials' | 'findStack'
>): Omit<LoadOptions, 'inputs' | 'whole'> {
  return {
    dir,
    kinds,
    profile: stack.profile,
    patches,
    env,
    variables,
    credentials,
    findStack,
    roots: settings.secrets.dirs,
    ...(settings.env_prefixes === undefined ? {} : { envPrefixes: settings.env_prefixes }),
    marker: stack.marker,
  };
}
