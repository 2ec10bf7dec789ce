import { resolve } from 'node:path';
import { readSafely } from '../files/safe-file.ts';
import { UsageError } from './usage-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The environment with what files of `NAME=value` lines add to it; what is set already wins. */
export function withEnvFiles(env: Env, files: readonly string[], dir: string): Env {
  const added = files.flatMap((file) => [...readEnvFile(resolve(dir, file), file)]);
  return { ...Object.fromEntries(added), ...env };
}

function* readEnvFile(path: string, name: string): Generator<[string, string]> {
  const read = readSafely(path);
  if ('code' in read) throw new UsageError(`secrets.env_files: ${name} ${read.message}`);
  for (const [index, line] of read.text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, variable, quoted, plain] = /^\s*([A-Za-z_]\w*)=(?:"([^"]*)"|(.*?))\s*$/.exec(line) ?? [];
    // The line itself may hold a secret, so it is told by its number.
    if (variable === undefined) throw new UsageError(`secrets.env_files: ${name}:${index + 1} is not NAME=value`);
    yield [variable, quoted ?? plain ?? ''];
  }
}
