import type { Dispatcher } from 'undici';
import { createClient, type Client, type ClientOptions } from '../../src/api/client.ts';

/** A client of an emulator, with the key of the tests; it retries nothing unless told to. */
export function clientOf(
  dispatcher: Dispatcher,
  more: Partial<Omit<ClientOptions, 'dispatcher' | 'baseUrl'>> = {},
): Client {
  return createClient({
    baseUrl: 'http://127.0.0.1',
    vendor: 'example',
    key: () => 'key-of-the-tests',
    userAgent: 'sluice-tests',
    dispatcher,
    ...more,
  });
}
