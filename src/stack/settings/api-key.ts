import type { StackContext } from '../stack-context.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { credential } from './credential.ts';
import type { ServicePlace } from '../service/open-service.ts';
import { UsageError } from '../usage-error.ts';

/** The key of the API: from SLUICE_API_KEY, else from the variable that `sluice.yaml` names. Throws where the key may not be sent to the address of the stack. */
export function apiKey({ settings, baseUrl, untrusted }: ServicePlace, io: StackContext['io']): string {
  if (untrusted.length > 0) throw new InvalidInput(untrusted);
  const named = settings.api.key.from_env;
  const own = credential('SLUICE_API_KEY', io);
  const key = own ?? credential(named, io);
  // The URL of a webhook or of a database, which sluice.yaml could name here, is not for the service.
  if (key !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(key))
    throw new UsageError(
      `${own === undefined ? named : 'SLUICE_API_KEY'} is a URL, not an API key`,
      'set SLUICE_API_KEY to the API key',
    );
  if (key !== undefined) return key;
  // The emulator inside sluice takes any.
  if (baseUrl === 'embedded') return 'embedded';
  throw new UsageError(
    'no API key is set',
    named === 'SLUICE_API_KEY'
      ? 'set SLUICE_API_KEY, or set SLUICE_API_KEY_FILE to the path of a file that contains it'
      : `set ${named} (named by api.key in sluice.yaml) or SLUICE_API_KEY`,
  );
}
