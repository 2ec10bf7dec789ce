import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The network between a run and its store, as far as a test can break it. */
export interface TcpProxy {
  readonly port: number;
  /** Where connections that are made from now on lead. */
  target: number;
  /** `open`; `cut`: connections break and new ones are refused; `silent`: nothing arrives any more, and nobody is notified. */
  readonly become: (state: 'open' | 'cut' | 'silent') => void;
}

/** Starts a proxy on loopback that stops when the test is over. */
export async function tcpProxy(target: number): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'silent' = 'open';
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((front) => {
    if (state === 'cut') {
      front.destroy();
      return;
    }
    const back = connect(proxy.target, '127.0.0.1');
    const pair = [front, back] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      front.destroy();
      back.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    front.on('data', (chunk) => state === 'open' && back.write(chunk));
    back.on('data', (chunk) => state === 'open' && front.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = (): void => {
    for (const [front] of pairs) front.destroy();
  };
  onTestFinished(() => {
    server.close();
    breakAll();
  });
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    target,
    become: (next) => {
      // What a silent network has swallowed never arrives: connections do not recover.
      if (next === 'cut' || (next === 'open' && state === 'silent')) breakAll();
      state = next;
    },
  };
  return proxy;
}
