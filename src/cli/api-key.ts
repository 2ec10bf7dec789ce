import { resolve } from 'node:path';
import { InvalidInput } from '../diagnostics/errors.ts';
import { readSafely } from '../files/safe-file.ts';
import type { ServicePlace } from './open-service.ts';
import { UsageError } from './usage-error.ts';

/** The key of the API: from SLUICE_API_KEY, the file that SLUICE_API_KEY_FILE names, or where `sluice.yaml` says, in that order. Throws where sluice.yaml would send it to an address that the operator has not confirmed. */
export function apiKey({ settings, dir, env, baseUrl, untrusted }: ServicePlace, cwd: string): string {
  if (untrusted.length > 0) throw new InvalidInput(untrusted);
  const { key } = settings.api;
  const direct = env['SLUICE_API_KEY'] ?? '';
  const file = env['SLUICE_API_KEY_FILE'] ?? '';
  if (direct !== '') return direct;
  if (file !== '') return inFile(resolve(cwd, file), 'SLUICE_API_KEY_FILE');
  if ('from_file' in key) return inFile(resolve(dir, key.from_file), 'api.key');
  const text = env[key.from_env] ?? '';
  if (text !== '') return text;
  // The emulator inside sluice takes any.
  if (baseUrl === 'embedded') return 'embedded';
  throw new UsageError(
    'there is no API key',
    key.from_env === 'SLUICE_API_KEY'
      ? 'set SLUICE_API_KEY, or SLUICE_API_KEY_FILE to a file that holds it'
      : `set ${key.from_env}, as api.key in sluice.yaml says, or SLUICE_API_KEY`,
  );
}

function inFile(path: string, where: string): string {
  const read = readSafely(path);
  if ('code' in read) throw new UsageError(`${where}: the file ${read.message}`);
  return read.text.trim();
}
