import type { StackContext } from '../stack-context.ts';
import { resolve } from 'node:path';
import { safeText } from '../../diagnostics/safe-text.ts';
import { readSafely } from '../../files/safe-file.ts';
import { UsageError } from '../usage-error.ts';

/**
 * A credential by the name of its variable: what the variable holds, else the file that the variable with `_FILE` at
 * the end names. Both are of the process's own environment, never of a file that the stack names. Undefined: neither is set.
 */
export function credential(name: string, { env, cwd }: Pick<StackContext['io'], 'env' | 'cwd'>): string | undefined {
  const text = env[name] ?? '';
  if (text !== '') return text;
  const path = credentialFile(name, { env, cwd });
  if (path === undefined) return undefined;
  const read = readSafely(path);
  if ('code' in read)
    throw new UsageError(
      `${name}_FILE: the file ${read.message}`,
      `set ${name}_FILE to the path of a readable file that contains the value of ${name}`,
    );
  const held = read.text.trim();
  // As while somebody renews it.
  if (held === '')
    throw new UsageError(`${name}_FILE: the file is empty`, `put the value of ${name} into ${safeText(path, 200)}`);
  return held;
}

/** The file that a credential is read from, if any: its absolute path. */
export function credentialFile(
  name: string,
  { env, cwd }: Pick<StackContext['io'], 'env' | 'cwd'>,
): string | undefined {
  const path = env[`${name}_FILE`] ?? '';
  return path === '' || (env[name] ?? '') !== '' ? undefined : resolve(cwd, path);
}

/** The same as it is now, where a file that cannot be read is as good as none. */
export function latestCredential(name: string, io: Pick<StackContext['io'], 'env' | 'cwd'>): string | undefined {
  try {
    return credential(name, io);
  } catch {
    return undefined;
  }
}
