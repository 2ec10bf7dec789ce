import type { StackContext } from '../stack-context.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { credential } from './credential.ts';
import type { ServicePlace } from '../service/open-service.ts';
import { UsageError } from '../usage-error.ts';

/** The key of the API: from SLUICE_API_KEY, else from the variable that `sluice.yaml` names. Throws where the key may not be sent to the address of the stack. */
export function apiKey({ settings, baseUrl, untrusted }: ServicePlace, io: StackContext['io']): string {
  if (untrusted.length > 0) throw new InvalidInput(untrusted);
  const name = settings.api.key.from_env;
  const key = credential('SLUICE_API_KEY', io) ?? credential(name, io);
  if (key !== undefined) return key;
  // The emulator inside sluice takes any.
  if (baseUrl === 'embedded') return 'embedded';
  throw new UsageError(
    'no API key is set',
    name === 'SLUICE_API_KEY'
      ? 'set SLUICE_API_KEY, or set SLUICE_API_KEY_FILE to the path of a file that contains it'
      : `set ${name} (named by api.key in sluice.yaml) or SLUICE_API_KEY`,
  );
}
