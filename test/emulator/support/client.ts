import type { Emulator } from '../../../src/emulator/emulator.ts';

/** An answer with its body read. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client that sends what the API asks for: credentials, version, JSON. */
export function clientOf(emulator: Emulator, actor?: string) {
  return async (method: string, path: string, body?: object): Promise<Reply> => {
    const answer = await emulator.handle({
      method,
      path,
      headers: {
        Authorization: 'Bearer key',
        'Example-Version': '2',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(actor === undefined ? {} : { actor }),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (answer.body === '' ? {} : JSON.parse(answer.body)) as Record<string, unknown>,
    };
  };
}
