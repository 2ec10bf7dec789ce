import type { Answer } from '../../src/emulator/answer.ts';
import type { Harness } from './harness.ts';

/** Sends a request of which no run knows anything, as another client of the account does. */
export function asSomebody(
  { emulator }: Pick<Harness, 'emulator'>,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return emulator.handle({
    method,
    path,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
