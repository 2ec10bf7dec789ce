import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { notBuilt, startProgram } from '../support/processes.ts';
import { company, stack } from './terminal.ts';

test.runIf(notBuilt === '')(
  `header fields may be as large as the options of Node allow${notBuilt}`,
  async () => {
    const server = createServer((_, response) => {
      response.setHeader('x-large', 'x'.repeat(20_000)).setHeader('content-type', 'application/json');
      response.end('{"reserved_addrs": [], "uri": "", "next_page_uri": null}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const env = { SLUICE_BASE_URL: base, SLUICE_VENDOR: 'example', SLUICE_API_KEY: 'any' };
    const list = (options: string): Promise<unknown> =>
      stack(company).then(
        (dir) => startProgram(dir, ['get', 'reserved-addr'], { ...env, NODE_OPTIONS: options }).ended,
      );
    expect(await list('--max-http-header-size=64000')).toMatchObject({ code: 0 });
    server.close();
  },
  60_000,
);
