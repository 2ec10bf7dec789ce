import { join } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { kinds } from '../../kinds/index.ts';
import type { FindStack } from '../../manifest/expand/find-outputs.ts';
import type { LoadOptions } from '../../manifest/load.ts';
import { present } from '../../model/present.ts';
import { readStackFile, stackFileName, type StackFile } from '../../manifest/stack-file/stack-file.ts';
import type { StackConfig } from './stack-config.ts';
import { stackVariables } from './stack-variables.ts';

/** How the manifests of a stack are read, but for which of them. */
export function manifestOptions(
  open: Pick<StackConfig, 'dir' | 'settings' | 'stack' | 'patches' | 'env' | 'variables' | 'credentials' | 'findStack'>,
): Omit<LoadOptions, 'inputs' | 'whole'> {
  const { dir, patches, env, variables, credentials, findStack } = open;
  const { profile, marker } = open.stack;
  const { secrets, state, env_prefixes: envPrefixes } = open.settings;
  const given = { dir, kinds, profile, patches, env, variables, credentials, findStack, marker };
  return { ...given, roots: secrets.dirs, statePath: state.path, ...present({ envPrefixes }) };
}

/** The stack file of a directory; undefined where it is missing or invalid. */
export function validStackFile(dir: string): StackFile | undefined {
  const { file, diagnostics } = readStackFile(join(dir, stackFileName));
  return hasErrors(diagnostics) ? undefined : file;
}

/** How the manifests of a stack are read where only files count, so that the result is the same on every machine; undefined where a variable is invalid. */
export function staticOptions(
  file: StackFile,
  dir: string,
  findStack: FindStack,
): Omit<LoadOptions, 'inputs'> | undefined {
  const { settings, patches } = file;
  const stack = { ...settings.stack, profile: settings.api.profile, marker: settings.marker };
  try {
    const variables = stackVariables(file, { io: { env: {} }, flags: {} }, none);
    const options = { dir, settings, stack, patches, env: {}, variables, credentials: none, findStack };
    return { ...manifestOptions(options), whole: true, missingValues: 'ignore' };
  } catch (error) {
    if (error instanceof InvalidInput) return undefined;
    throw error;
  }
}

const none = { apiKeys: [], others: [] };
