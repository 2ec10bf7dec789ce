import { Agent } from 'undici';

const headers = { authorization: 'Bearer bench', 'example-version': '2', 'content-type': 'application/json' };

/** How often undici alone creates an address, and over how many connections. `record` is told of each request before it is sent, and of its answer. */
export interface BareWrites {
  readonly count: number;
  readonly connections: number;
  readonly record?: (line: object) => Promise<void>;
}

/** Creates addresses with undici alone, as fast as the connections allow: what a client takes that does nothing else. */
export async function bareWrites(url: string, { count, connections, record }: BareWrites): Promise<void> {
  const agent = new Agent({ connections, pipelining: 1 });
  let left = count;
  let last: Promise<void> | undefined;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const place = left;
      await record?.({ intent: place });
      const body = JSON.stringify({ description: `Address ${place}`, region: 'eu', metadata: '{"team":"bench"}' });
      const answer = await agent.request({ origin: url, path: '/reserved_addrs', method: 'POST', headers, body });
      const made = await answer.body.json();
      // The next intent goes with it.
      last = record?.({ place, answer: made });
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await last;
  await agent.destroy();
}
